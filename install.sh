#!/usr/bin/env bash
# Installs Tapthru on this server, with Docker. It says what it does before it does it, and may run again.
#   ./install.sh [--host go.example.com] [--email you@example.com] [--proxy] [--build]
#       --proxy    another program on this server serves https, and passes requests to 127.0.0.1:8080
#       --build    builds the images of this checkout in place of published ones
#   ./install.sh upgrade [<version>]     to the images of that release, without a version to those of this checkout
#   ./install.sh backup                  writes a dump of the database into backups/
#   ./install.sh uninstall [--data]      removes the containers, with --data also all links and accounts
# Each also takes --yes, which confirms, and --dry-run, which changes nothing.
set -euo pipefail

# A release has its own: .github/workflows/images.yml
REPOSITORY=example/tapthru
VERSION=
RELEASES=${TAPTHRU_RELEASES:-https://github.com/$REPOSITORY/releases/download}
COMPOSE_VERSION=2.24.4

say() { printf '%s\n' "$*"; }
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
  [[ $reply == [yY]* ]] || fail "Nothing was changed."
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
  local found
  found=$(docker compose version --short 2>/dev/null || echo 0)
  printf '%s\n' "$COMPOSE_VERSION" "${found#v}" | sort -CV || fail "Docker Compose $COMPOSE_VERSION or later is needed, not $found."
}

require_installation() {
  [ -e "$directory/.env" ] || fail "Tapthru is not installed in $directory."
}

ask() {
  local question=$1 pattern=$2 value=$3
  [ -n "$value" ] || read -rp "$question: " value || true
  [[ $value =~ $pattern ]] || fail "This is not valid: $value"
  answer=$value
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
  ask "Host name of the site, such as go.example.com" '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\.[a-z0-9-]+$' "$host"
  host=$answer
  ask "Your mail address, for visitors and the certificate authority" '^[^[:space:]@]+@[^[:space:]@]+$' "$email"
  email=$answer
}

check_dns() {
  local found own
  found=$(getent ahosts "$host" | awk '{ print $1 }' | sort -u | xargs)
  own=$(hostname -I 2>/dev/null | xargs)
  [ -n "$found" ] || fail "DNS: $host has no address yet. Create an A record with the address of this server, and run this script again."
  if grep --quiet --line-regexp --fixed-strings "$(tr ' ' '\n' <<<"$own")" <<<"$(tr ' ' '\n' <<<"$found")"; then
    say "DNS: $host is this server ($found)."
  else
    say "DNS: $host is $found, and this server has $own. Continue only if a router or load balancer there passes requests on to this server."
  fi
  [[ $found != *:* ]] || say "DNS: Docker hides the addresses of visitors who use IPv6, so they share limits. An A record without AAAA avoids it."
}

check_ports() {
  local port
  for port in 80 443; do
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      fail "Port $port is in use by another program. Stop it, or let it serve https for Tapthru: ./install.sh --proxy"
    fi
  done
  say "Ports: 80 and 443 are free. Your firewall has to let both pass."
}

# Files of a release: what docker-compose.yml mounts, and the scripts.
fetch() {
  say "Downloads the files of $version into $directory."
  run mkdir -p "$directory"
  say "  curl $RELEASES/$version/tapthru.tar.gz | tar -xz"
  [ -n "$dry_run" ] || curl --fail --silent --show-error --location "$RELEASES/$version/tapthru.tar.gz" | tar -xz -C "$directory"
}

install() {
  check_docker
  [ -n "$version" ] || build=yes
  read_settings
  [ -z "$build" ] || [ -e "$directory/Dockerfile" ] || fail "There is no checkout here to build. Use install.sh of a release."
  if [ -z "$proxy" ]; then
    check_dns
    [ -e "$directory/.env" ] || check_ports
  fi
  say "Installs Tapthru at https://$host in $directory, with images $([ -n "$build" ] && echo "built here" || echo "of $version")."
  confirm "Continue?"

  [ -e "$directory/docker-compose.yml" ] || fetch
  [ -n "$dry_run" ] || cd "$directory"
  if [ -e "$directory/.env" ]; then
    say "Keeps .env with its secrets."
  else
    say "Writes the settings, with new secrets, into .env."
    [ -n "$build" ] || export IMAGE_REGISTRY=${IMAGE_REGISTRY:-ghcr.io/$REPOSITORY} TAPTHRU_VERSION=$version
    run infra/compose/init.sh "https://$host" "$email" ${proxy:+proxy}
  fi
  say "Gets the images."
  if [ -n "$build" ]; then run docker compose build; else run docker compose pull --policy missing --quiet; fi
  say "Starts the containers, and waits until all are healthy."
  run docker compose up --detach --wait --wait-timeout 300 || fail "Not all became healthy. docker compose ps shows which, docker compose logs why."
  if [ -n "$proxy" ]; then
    say "Now let your proxy pass https://$host on to http://127.0.0.1:8080: docs/self-hosting.md#behind-a-proxy"
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
  say "There is no certificate yet. The worker tries again by itself; docker compose logs worker shows why."
}
print_operator_link() {
  local migrate started
  migrate=$(docker compose ps --all --quiet migrate)
  started=$(docker inspect --format '{{.State.StartedAt}}' "$migrate")
  docker logs --since "$started" "$migrate" 2>&1 | grep --before-context=1 'signup?invitation=' ||
    say "There is an account already. A new link for an operator: docker compose run --rm migrate users operator-link"
}

upgrade() {
  check_docker
  require_installation
  if [ -z "$target" ]; then
    [ -e "$directory/Dockerfile" ] || fail "Name the version: ./install.sh upgrade v2. They are listed at https://github.com/$REPOSITORY/releases"
    say "Builds this checkout, and replaces the containers one by one."
    confirm "Continue?"
    run "$directory/compose/upgrade.sh"
    return
  fi
  version=$target
  say "Upgrades $directory to $version: downloads its files and images, migrates the database, replaces the containers one by one."
  confirm "Continue?"
  [ -e "$directory/Dockerfile" ] || fetch
  run env TAPTHRU_VERSION="$version" "$directory/compose/upgrade.sh" --no-build
  run sed --in-place "s/^TAPTHRU_VERSION=.*/TAPTHRU_VERSION=$version/" "$directory/.env"
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

main() {
  local command=install
  case ${1:-} in install | upgrade | backup | uninstall) command=$1 && shift ;; esac
  host='' email='' proxy='' build='' data='' target='' yes='' dry_run='' version=$VERSION answer=''
  while [ $# -gt 0 ]; do
    case $1 in
      --host) host=${2:?} && shift ;;
      --email) email=${2:?} && shift ;;
      --proxy | --build | --data | --yes) printf -v "${1#--}" %s "${1#--}" ;;
      --dry-run) dry_run=yes ;;
      v[0-9]*) target=$1 ;;
      *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
    esac
    shift
  done
  # Beside docker-compose.yml this is a checkout or an installation. Otherwise the release comes into ./tapthru.
  directory=$(cd "$(dirname "${BASH_SOURCE[0]:-.}")" && pwd)
  [ -e "$directory/docker-compose.yml" ] || directory=$PWD/tapthru
  "$command"
}
main "$@"
