#!/usr/bin/env bash
# Installs Tapthru on this Linux server, with Docker. It says what it does before it does it, and may run again.
#   ./install.sh [--host go.example.com] [--email you@example.com] [--proxy] [--build]
#       --proxy    another program on this server serves https, and passes requests to 127.0.0.1:8080 (or PUBLISH_PORT)
#       --build    builds the images of this checkout instead of published ones
#       SMTP_URL   in the environment answers the question for a mail server
#       PING_URL   the same, for the address that is requested while all is well
#   ./install.sh status                  shows what runs, and why something does not
#   ./install.sh logs [<service>]        follows the log
#   ./install.sh upgrade [<version>] [--no-dump] [--stores]
#                                        to the images of that release, without a version to those of this checkout, after
#                                        a dump; --stores also restarts Postgres and Redis with theirs
#   ./install.sh backup                  writes a dump of the database into backups/
#   ./install.sh restore <dump>          replaces the database by a dump; AGE_IDENTITY_FILE=<key> decrypts it
#   ./install.sh password <email>        prints a link with which this user chooses a new password
#   ./install.sh uninstall [--data]      removes the containers, with --data also all links and accounts
# Each also takes --yes, which confirms, and --dry-run, which changes nothing.
[ -n "${BASH_VERSION:-}" ] || { echo "Run this script with bash." >&2 && exit 1; }
set -Eeuo pipefail
trap 'printf "Failed in line %s: %s\n" "$LINENO" "${BASH_COMMAND/\"\$@\"/$*}" >&2' ERR

# A release has its own: .github/workflows/images.yml
REPOSITORY=example/tapthru
VERSION=
RELEASES=${TAPTHRU_RELEASES:-https://github.com/$REPOSITORY/releases/download}
COMPOSE_VERSION=2.28.1
MEGABYTES=1700 # What is left of 2 GB.
BEFORE=.before-upgrade.tar.gz
ME="bash $0"

say() { printf '%s\n' "$*" || true; } # The terminal may have been closed.
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}
run() {
  say "  $*"
  [ -n "$dry_run" ] || "$@"
}
confirm() {
  [ -n "$yes$dry_run" ] && return
  local reply=''
  read -rp "$1 [y/N] " reply || true
  [[ $reply == [yY]* ]] || fail "Nothing was changed. With --yes there is no question."
}
# A setting of .env, or the default.
setting() {
  local value=''
  [ ! -e "$directory/.env" ] || value=$(sed -n "s/^$1=//p" "$directory/.env")
  say "${value:-${2:-}}"
}

check_docker() {
  command -v docker >/dev/null || fail "Docker is not installed: https://docs.docker.com/engine/install/"
  docker info >/dev/null 2>&1 || fail "Docker does not respond. Start it, or run this script as root."
  [[ $(docker info --format '{{.SecurityOptions}}') != *rootless* ]] ||
    fail "Docker is rootless here, so all visitors would have one address and share its limits. Install Docker for the whole server: https://docs.docker.com/engine/install/"
  local found
  found=$(docker compose version --short 2>/dev/null || echo 0)
  [ "$(printf '%s\n' "$COMPOSE_VERSION" "${found#v}" | sort -V | head -n 1)" = "$COMPOSE_VERSION" ] ||
    fail "Docker Compose $COMPOSE_VERSION or later is needed, not $found: https://docs.docker.com/compose/install/linux/"
}

check_server() {
  local program missing='' megabytes
  [ "$(uname -s)" = Linux ] || fail "This script needs Linux. On other systems docker compose up --build starts a demo."
  for program in awk curl getent sha256sum tar; do command -v "$program" >/dev/null || missing+=" $program"; done
  [ -z "$missing" ] || fail "These programs are missing:$missing. Install them with the package manager, and run this script again."
  megabytes=$(awk '/^(Mem|Swap)Total:/ { sum += $2 } END { print int(sum / 1024) }' /proc/meminfo)
  [ "$megabytes" -ge "$MEGABYTES" ] || fail "This server has $megabytes MB of memory and swap. Tapthru needs 2 GB: choose a larger one, or add swap."
}

require_installation() {
  [ -e "$directory/.env" ] || fail "Tapthru is not installed in $directory."
}

ask() {
  local question=$1 pattern=$2 option=$3 value=$4
  [ -n "$value" ] || read -rp "$question: " value || true
  value=${value#https://}
  value=${value%/}
  value=${value,,}
  [[ $value =~ $pattern ]] || fail "\"$value\" is not valid. $question: $option"
  answer=$value
}

ask_mail_server() {
  local part='[][A-Za-z0-9._~%!*+-]+'
  [ -n "$smtp$yes" ] || read -rp "Mail server, such as smtps://user:password@mail.example.com:465, or nothing (people then sign up by invitation): " smtp || true
  [[ -z $smtp || $smtp =~ ^smtps?://($part(:$part)?@)?$part(:[0-9]+)?$ ]] ||
    fail "This is not the address of a mail server. In user and password write other characters than letters and digits as %XX: @ is %40."
}

read_settings() {
  if [ -e "$directory/.env" ]; then
    address=$(setting PUBLIC_BASE_URL)
    [ -z "$host" ] || [ "https://$host" = "$address" ] || fail "$directory/.env is for $address. Change PUBLIC_BASE_URL there."
    host=${address#https://}
    if [ "$(setting TLS)" = on ]; then proxy=''; else proxy=proxy; fi
    version=$(setting TAPTHRU_VERSION)
    if [ -n "$(setting IMAGE_REGISTRY)" ]; then build=''; else build=yes; fi
    return
  fi
  ask "Host name of the site, such as go.example.com (an IP address can have no certificate)" '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$' --host "$host"
  host=$answer
  ask "Your mail address, for visitors and the certificate authority" '^[^[:space:]@]+@[^[:space:]@]+$' --email "$email"
  email=$answer
  ask_mail_server
  [ -n "$ping$yes" ] || read -rp "Address that is requested every five minutes while all is well, such as https://hc-ping.com/…, or nothing (then nobody tells you that the site is down): " ping || true
  [[ -z $ping || $ping =~ ^https?://[^[:space:]]+$ ]] || fail "\"$ping\" is not an address."
}

check_dns() {
  local found own
  found=$(getent ahosts "$host" | awk '{ print $1 }' | sort -u | xargs || true)
  own=$(hostname -I 2>/dev/null | xargs || true)
  [ -n "$found" ] || fail "DNS: $host has no address yet. Create an A record with the address of this server, and run this script again."
  if [[ $found == 127.* ]]; then
    say "DNS: /etc/hosts has $host, so its A record was not looked up. It must have the address of this server."
  elif grep -qxF "$(tr ' ' '\n' <<<"${own:-none}")" <<<"$(tr ' ' '\n' <<<"$found")"; then
    say "DNS: $host is this server ($found)."
  else
    say "DNS: $host is $found, and this server has ${own:-an unknown address}. Continue only if these are the same, or a router or load balancer there passes requests on to this server."
  fi
  [[ $found != *:* ]] || say "DNS: Docker hides the addresses of visitors who use IPv6, so they share limits. An A record without AAAA avoids it."
}

# Arguments: what to do if one is in use, and the ports.
check_ports() {
  local advice=$1 port
  shift
  for port in "$@"; do
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      fail "Port $port is in use by another program, which ss -ltnp shows. $advice"
    fi
  done
  say "Free ports: $*."
}

# Downloads the files of a release, what docker-compose.yml mounts and the scripts, beside the present ones.
download() {
  local file
  say "Downloads the files of $version."
  run mkdir -p "$directory/.download"
  for file in SHA256SUMS SHA256SUMS.bundle tapthru.tar.gz; do
    run curl --fail --silent --show-error --location --output "$directory/.download/$file" "$RELEASES/$version/$file" ||
      fail "This file cannot be downloaded. Does the release exist? https://github.com/$REPOSITORY/releases"
  done
  [ -n "$dry_run" ] || (cd "$directory/.download" && sha256sum -c SHA256SUMS >/dev/null 2>&1) ||
    fail "The download is not the file of SHA256SUMS. Run this script again."
  ! command -v cosign >/dev/null || run cosign verify-blob --bundle "$directory/.download/SHA256SUMS.bundle" \
    --certificate-identity "https://github.com/$REPOSITORY/.github/workflows/images.yml@refs/tags/$version" \
    --certificate-oidc-issuer https://token.actions.githubusercontent.com "$directory/.download/SHA256SUMS" ||
    fail "SHA256SUMS was not signed by the workflow of $REPOSITORY."
}
# Files that the release no longer has go away: Prometheus loads every file of its rules.
unpack() {
  run rm -rf "$directory/infra"
  run tar --no-same-owner -xzf "$directory/.download/tapthru.tar.gz" -C "$directory"
  run rm -r "$directory/.download"
}

install() {
  check_server
  check_docker
  put_files_back
  [ -n "$version" ] || build=yes
  read_settings
  [ -z "$build" ] || [ -e "$directory/Dockerfile" ] || fail "There is no checkout here to build. Use install.sh of a release."
  [ -n "$proxy" ] || check_dns
  if [ -e "$directory/.env" ]; then
    true
  elif [ -n "$proxy" ]; then
    check_ports "Choose another one: PUBLISH_PORT=8081 $ME --proxy" "${PUBLISH_PORT:-8080}"
  else
    check_ports "Stop it, or let it serve https for Tapthru: $ME --proxy" 80 443
    say "Your firewall has to let both pass."
  fi
  say "Installs Tapthru at https://$host in $directory, with images $([ -n "$build" ] && echo "built here" || echo "of $version")."
  confirm "Continue?"

  if [ ! -e "$directory/docker-compose.yml" ]; then
    download
    unpack
  fi
  [ -n "$dry_run" ] || cd "$directory"
  if [ -e "$directory/.env" ]; then
    say "Keeps .env with its secrets."
  else
    say "Writes the settings, with new secrets, into .env."
    export SMTP_URL=$smtp PING_URL=$ping
    [ -n "$build" ] || export IMAGE_REGISTRY=${IMAGE_REGISTRY:-ghcr.io/${REPOSITORY,,}} TAPTHRU_VERSION=$version
    run infra/compose/init.sh "https://$host" "$email" ${proxy:+proxy}
  fi
  say "Gets the images."
  if [ -n "$build" ]; then run docker compose build; else run infra/compose/pull.sh; fi ||
    fail "There are no images: the lines above say why. Run this script again."
  say "Starts the containers, and waits until all are healthy."
  run docker compose up --detach --wait --wait-timeout 300 || fail "Not all became healthy. $ME status shows which and why, $ME logs more."
  if [ -n "$proxy" ]; then
    say "Now let your proxy pass https://$host on to http://127.0.0.1:$(setting PUBLISH_PORT 8080): docs/self-hosting.md#behind-a-proxy"
  else
    wait_for_https
  fi
  [ -n "$dry_run" ] || print_operator_link
  say "Keep a copy of $directory/.env in a safe place: backups are not complete without its keys."
}

# By the address of this machine, which need not reach itself by its public one.
wait_for_https() {
  say "Waits until https://$host responds, with a certificate of $(setting ACME_DIRECTORY_URL "Let's Encrypt")."
  [ -z "$dry_run" ] || return 0
  for _ in {1..60}; do
    if curl --silent --fail --output /dev/null --max-time 5 --connect-to "$host:443:127.0.0.1:$(setting HTTPS_PORT 443)" "https://$host/version.txt"; then
      say "https://$host responds."
      return
    fi
    sleep 2
  done
  say "There is no certificate yet. The worker tries again by itself; $ME logs worker shows why."
}
print_operator_link() {
  local migrate started
  migrate=$(docker compose ps --all --quiet migrate)
  started=$(docker inspect --format '{{.State.StartedAt}}' "$migrate")
  docker logs --since "$started" "$migrate" 2>&1 | grep -B 1 'signup?invitation=' ||
    say "There is an account already. A new link for an operator: docker compose run --rm migrate users operator-link"
}

# Keeps the files that the release replaces, until the upgrade has succeeded.
replace_files() {
  local name
  tar -tzf "$directory/.download/tapthru.tar.gz" | sed 's|^\./||; s|/.*||' | sort -u | (
    cd "$directory"
    while read -r name; do [ ! -e "${name:-none}" ] || echo "$name"; done | tar -czf "$BEFORE.part" -T -
    mv "$BEFORE.part" "$BEFORE"
  )
  trap put_files_back EXIT
  unpack
}
put_files_back() {
  [ -e "$directory/$BEFORE" ] && [ -z "$dry_run" ] || return 0
  say "Puts the files from before the upgrade back."
  rm -rf "$directory/infra"
  tar -xzf "$directory/$BEFORE" -C "$directory"
  rm "$directory/$BEFORE"
}

upgrade() {
  check_server
  check_docker
  require_installation
  put_files_back
  if [ -z "$target" ]; then
    [ -e "$directory/Dockerfile" ] || fail "Name the version: $ME upgrade v1.2.0. They are listed at https://github.com/$REPOSITORY/releases"
    say "Builds this checkout, and replaces the containers one by one."
    confirm "Continue?"
    run "$directory/infra/compose/upgrade.sh" ${no_dump:+--no-dump} ${stores:+--stores} || fail "The upgrade failed: the lines above say why."
    return
  fi
  [[ $target =~ ^v[0-9][0-9A-Za-z.-]*$ ]] || fail "A version is like v1.2.0. They are listed at https://github.com/$REPOSITORY/releases"
  [ -n "$(setting IMAGE_REGISTRY)" ] || fail "These images are built here: check that version out, and run $ME upgrade."
  local major present
  major=${target%%.*} present=$(setting TAPTHRU_VERSION)
  present=${present%%.*}
  [[ ! $present =~ ^v[0-9]+$ ]] || [ "${major#v}" -le $((${present#v} + 1)) ] ||
    fail "Upgrade to the newest v$((${present#v} + 1)) first: a major version only reads the data of the one before."
  version=$target
  say "Upgrades $directory to $version: downloads its files and images, migrates the database, replaces the containers one by one."
  confirm "Continue?"
  if [ ! -e "$directory/Dockerfile" ]; then
    download
    if [ -n "$dry_run" ]; then unpack; else replace_files; fi
  fi
  trap : HUP # upgrade.sh ends first, so that the files are put back after it.
  if ! run env TAPTHRU_VERSION="$version" "$directory/infra/compose/upgrade.sh" --no-build ${no_dump:+--no-dump} ${stores:+--stores}; then
    put_files_back
    # upgrade.sh went back to the images from before, with the files of the new release.
    run docker compose --project-directory "$directory" up --detach || true
    fail "The upgrade to $version failed: the lines above say why."
  fi
  run sed -i "s/^TAPTHRU_VERSION=.*/TAPTHRU_VERSION=$version/" "$directory/.env"
  trap - EXIT
  run rm -f "$directory/$BEFORE"
}

status() {
  local container why newest
  check_docker
  require_installation
  cd "$directory"
  say "Tapthru $(setting TAPTHRU_VERSION) at $(setting PUBLIC_BASE_URL)"
  docker compose ps --all --format 'table {{.Service}}\t{{.Status}}'
  for container in $(docker compose ps --quiet); do
    why=$(docker inspect --format '{{with .State.Health}}{{if ne .Status "healthy"}}{{range .Log}}{{.Output}}{{end}}{{end}}{{end}}' "$container" | sed '/^$/d' | tail -n 1)
    [ -z "$why" ] || say "$(docker inspect --format '{{.Name}}' "$container"): $why"
  done
  newest=$(find "$(setting BACKUP_DIR backups)" -name 'tapthru-*.dump*' 2>/dev/null | sort | tail -n 1 || true)
  say "Newest dump: ${newest:-none. $ME backup writes one.}"
}

logs() {
  require_installation
  cd "$directory"
  docker compose logs --tail 100 --follow ${target:+"$target"}
}

restore() {
  check_docker
  require_installation
  [ -e "$target" ] || fail "Name a dump: $ME restore backups/tapthru-….dump"
  say "Replaces the database by $target. All sessions end, and what happened after the dump is lost."
  confirm "Continue?"
  run "$directory/infra/compose/restore.sh" "$target" || fail "The restore failed: the lines above say why."
}

password() {
  check_docker
  require_installation
  [ -n "$target" ] || fail "Name the user: $ME password person@example.com"
  cd "$directory"
  run docker compose run --rm migrate users reset-password "$target"
}

backup() {
  check_docker
  require_installation
  say "Writes a dump of the database into $(setting BACKUP_DIR "$directory/backups")."
  cd "$directory"
  run docker compose run --rm --no-deps backup now
  say "Copy it to another machine, with .env."
}

uninstall() {
  check_docker
  require_installation
  say "Removes the containers and networks of Tapthru in $directory."
  if [ -n "$data" ]; then
    say "Deletes all volumes: links, accounts, clicks and certificates. Only the dumps in backups/, .env and this directory remain."
  else
    say "Keeps the volumes with links, accounts and certificates, and .env: ./install.sh starts them again."
  fi
  confirm "Continue?"
  cd "$directory"
  run docker compose --profile '*' down --remove-orphans ${data:+--volumes}
}

usage() {
  sed -n '2,/^\[/{/^#/s/^# \{0,1\}//p;}' "${BASH_SOURCE[0]}" >&2
  exit 2
}

main() {
  local command=install
  case ${1:-} in install | status | logs | upgrade | backup | restore | password | uninstall) command=$1 && shift ;; esac
  host='' email='' smtp=${SMTP_URL:-} ping=${PING_URL:-} proxy='' build='' data='' target='' yes='' dry_run='' version=$VERSION answer=''
  no_dump='' stores=''
  while [ $# -gt 0 ]; do
    case $1 in
      --host | --email)
        [ -n "${2:-}" ] || fail "$1 needs a value."
        printf -v "${1#--}" %s "$2"
        shift
        ;;
      --proxy | --build | --data | --yes) printf -v "${1#--}" %s "${1#--}" ;;
      --dry-run) dry_run=yes ;;
      --no-dump) no_dump=yes ;;
      --stores) stores=yes ;;
      [!-]*) target=$1 ;;
      *) usage ;;
    esac
    shift
  done
  case $command in install | status | backup | uninstall) [ -z "$target" ] || usage ;; esac
  # Beside docker-compose.yml this is a checkout or an installation. Otherwise the release comes into ./tapthru.
  directory=$(cd "$(dirname "${BASH_SOURCE[0]:-.}")" && pwd)
  [ -e "$directory/docker-compose.yml" ] || directory=$PWD/tapthru
  "$command"
}
main "$@"
