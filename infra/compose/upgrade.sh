#!/usr/bin/env bash
# infra/compose/upgrade.sh [--no-build] [--no-dump] [--stores] [options of docker compose]
# Upgrades a running installation to the images of this checkout; with --no-build to those of TAPTHRU_VERSION. Writes a dump of
# the database before it is migrated, unless --no-dump. Each container of redirect and api is replaced by a new one that is
# healthy before the old one drains. The gateway owns the published port: for about half a second, between the old and the new
# one, connections are refused. If a service does not become healthy within HEALTHY_WITHIN_SECONDS (120), what was replaced gets
# its previous image again. Postgres and Redis get their new images with --stores only, because they restart then.
# To go back later, to the images before the upgrade: TAPTHRU_VERSION=previous infra/compose/upgrade.sh --no-build
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=yes dump=yes stores=no
while :; do
  case ${1:-} in
    --no-build) build=no ;;
    --no-dump) dump=no ;;
    --stores) stores=yes ;;
    *) break ;;
  esac
  shift
done
compose=(docker compose "$@")
within=${HEALTHY_WITHIN_SECONDS:-120}
replaced=()

postgres_major() { docker inspect --format '{{range .Config.Env}}{{println .}}{{end}}' "$1" | sed -n 's/^PG_MAJOR=//p'; }
containers() { "${compose[@]}" ps --quiet "$1"; }
image_of() { docker inspect --format '{{.Config.Image}}' "$1"; }

old_gateway=$(containers gateway)
if [ -z "$old_gateway" ]; then
  echo "No gateway runs. Start the installation: docker compose up --detach" >&2
  exit 1
fi
old_version=$(image_of "$old_gateway")
old_version=${old_version##*:}
gateway=$("${compose[@]}" config --images | grep '/gateway:' | head -n 1)
version=${gateway##*:}
if [ "$build" = yes ] && [ "$version" = previous ]; then
  echo "TAPTHRU_VERSION is \"previous\": remove it from .env first." >&2
  exit 1
fi

keep_previous_images() {
  local container name
  for container in $("${compose[@]}" ps --all --quiet); do
    name=$(image_of "$container")
    name=${name##*/}
    # By the name that it has now.
    [[ $name == *@* ]] || docker tag "$(docker inspect --format '{{.Image}}' "$container")" "${gateway%/*}/${name%:*}:previous"
  done
}

# After a build, the tag names the images of before again.
restore_tags() {
  local image
  for image in $("${compose[@]}" config --images); do
    if [[ $image == *:"$version" ]] && docker image inspect "${image%:*}:previous" >/dev/null 2>&1; then
      docker tag "${image%:*}:previous" "$image"
    fi
  done
}

wait_until_healthy() {
  local deadline=$((SECONDS + within))
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" = healthy ]; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      docker logs --tail 20 "$1" >&2
      docker inspect --format '{{range .State.Health.Log}}{{.Output}}{{end}}' "$1" | tail -n 1 >&2
      docker rm --force "$1" >/dev/null
      echo "The new container of $2 did not become healthy." >&2
      return 1
    fi
    sleep 1
  done
}

# Replaces every container of the service: starts a new one, waits until it is healthy, then drains an old one.
replace_each() {
  local service=$1 old before count container new
  "${compose[@]}" rm --force "$service" # Those of a start that failed would count.
  old=$(containers "$service")
  count=$(wc -w <<<"$old")
  for container in $old; do
    before=$(containers "$service")
    "${compose[@]}" up --detach --no-deps --no-recreate --scale "$service=$((count + 1))" "$service"
    new=$(comm -13 <(sort <<<"$before") <(containers "$service" | sort))
    wait_until_healthy "$new" "$service"
    docker stop -t 30 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
  "${compose[@]}" up --detach --no-deps --no-recreate "$service" # As many as the settings want now.
}

# Starts the new gateway without the port, to see that it becomes healthy.
try_gateway() {
  local trial
  trial=$("${compose[@]}" run --detach --no-deps gateway)
  wait_until_healthy "$trial" gateway
  docker rm --force "$trial" >/dev/null
}

up() { "${compose[@]}" up --detach --no-deps --wait --wait-timeout "$within" "$1"; }

# Replaces the service if its image or its settings have changed.
replace() {
  case $1 in
    redirect | api) replace_each "$1" ;;
    gateway)
      try_gateway
      up gateway
      ;;
    *) up "$1" ;;
  esac
}

roll_back() {
  trap - ERR INT TERM
  [ "$BASH_SUBSHELL" -eq 0 ] || exit 1
  # A terminal that was closed sends the signal more than once, and nothing can be written to it.
  trap '' HUP
  echo >&2 || exec >/dev/null 2>&1
  if [ "$version" = "$old_version" ]; then restore_tags; else export TAPTHRU_VERSION=$old_version; fi
  if [ "${#replaced[@]}" -eq 0 ]; then
    echo "The upgrade failed. Nothing was replaced." >&2
    exit 1
  fi
  echo "The upgrade failed: the images of before are started again." >&2
  for service in "${replaced[@]}"; do replace "$service"; done
  echo "The release of before runs again, with the tag $old_version: TAPTHRU_VERSION must name it." >&2
  exit 1
}
trap roll_back ERR INT TERM HUP

[ "$version" = previous ] || keep_previous_images
[ "$build" = no ] || "${compose[@]}" build
[ "$build$dump" != yesyes ] || "${compose[@]}" build backup # Also without its profile.
infra/compose/pull.sh "$@"
infra/compose/check-config.sh "$@"
postgres=$(containers postgres)
if [ "$stores" = yes ] && [ -n "$postgres" ] &&
  [ "$(postgres_major "$postgres")" != "$(postgres_major "$("${compose[@]}" config --images postgres)")" ]; then
  echo "The image of Postgres is of another major version: infra/compose/upgrade-postgres.sh moves the data." >&2
  exit 1
fi
[ "$dump" = no ] || "${compose[@]}" run --rm --no-deps -T backup before-upgrade
keep=--no-recreate
[ "$stores" = no ] || keep=
"${compose[@]}" up --detach --no-deps ${keep:+"$keep"} --wait postgres redis-cache redis-queue
"${compose[@]}" run --rm --no-deps migrate
others=$("${compose[@]}" config --services | grep -vE '^(redirect|api|gateway|migrate|postgres|redis-cache|redis-queue)$')
for service in redirect api $others gateway; do
  replaced+=("$service")
  replace "$service"
done
# Their configuration is mounted from this checkout.
for service in $(grep -E '^(prometheus|alertmanager|blackbox|grafana)$' <<<"$others" || true); do
  "${compose[@]}" restart "$service"
done
outdated=
for store in postgres redis-cache redis-queue; do
  for container in $(containers "$store"); do
    [ "$(image_of "$container")" = "$("${compose[@]}" config --images "$store")" ] || outdated+=" $store"
  done
done
if [ -n "$outdated" ]; then
  echo "There are new images of$outdated. To apply them, with some seconds in which nothing can be created:"
  echo "  infra/compose/upgrade.sh --no-build --no-dump --stores"
fi
