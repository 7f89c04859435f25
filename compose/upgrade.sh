#!/usr/bin/env bash
# compose/upgrade.sh [--no-build] [options of docker compose]
# Upgrades a running installation to the images of this checkout; with --no-build to those of TAPTHRU_VERSION. Each container
# of redirect and api is replaced by a new one that is healthy before the old one drains. The gateway owns the published port:
# for about a second, between the old and the new one, connections are refused. If a service does not become healthy within
# HEALTHY_WITHIN_SECONDS (120), all services get their previous images again, which have the tag "previous".
# Postgres and Redis are not replaced. To go back later: TAPTHRU_VERSION=previous compose/upgrade.sh --no-build
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=yes
if [ "${1:-}" = --no-build ]; then
  build=no
  shift
fi
compose=(docker compose "$@")
replaced=()

# The running services whose names match, or with --invert-match do not match, one of the names.
running() { "${compose[@]}" ps --services --status running | grep --line-regexp "$@" || true; }
containers() { "${compose[@]}" ps --quiet "$1"; }

keep_previous_images() {
  local container name
  for container in $("${compose[@]}" ps --quiet); do
    name=$(docker inspect --format '{{.Config.Image}}' "$container")
    [[ $name == *@* ]] || docker tag "$(docker inspect --format '{{.Image}}' "$container")" "${name%:*}:previous"
  done
}

wait_until_healthy() {
  local deadline=$((SECONDS + ${HEALTHY_WITHIN_SECONDS:-120}))
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
    docker stop --time 30 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
}

# Starts the new gateway without the port, to see that it becomes healthy.
try_gateway() {
  local trial
  trial=$("${compose[@]}" run --detach --no-deps gateway)
  wait_until_healthy "$trial" gateway
  docker rm --force "$trial" >/dev/null
}

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

up() {
  "${compose[@]}" up --detach --no-deps --wait --wait-timeout "${HEALTHY_WITHIN_SECONDS:-120}" "$1"
}

roll_back() {
  trap - ERR
  [ "$BASH_SUBSHELL" -eq 0 ] || exit 1
  if [ "${#replaced[@]}" -eq 0 ]; then
    echo "The upgrade failed. Nothing was replaced." >&2
    exit 1
  fi
  echo "The upgrade failed: the previous images are started again." >&2
  export TAPTHRU_VERSION=previous
  for service in "${replaced[@]}"; do replace "$service"; done
  echo "The previous release runs. Set TAPTHRU_VERSION=previous in .env until the next upgrade." >&2
  exit 1
}
trap roll_back ERR

[ "$build" = no ] || "${compose[@]}" build
compose/check-config.sh "$@"
"${compose[@]}" up --detach --no-deps --no-recreate --wait postgres redis-cache redis-queue
"${compose[@]}" run --rm --no-deps migrate
[ "${TAPTHRU_VERSION:-}" = previous ] || keep_previous_images
others=$(running --invert-match --regexp={redirect,api,gateway,postgres,redis-cache,redis-queue})
for service in redirect api $others gateway; do
  replaced+=("$service")
  replace "$service"
done
# Their files are mounted from this checkout. Alertmanager's configuration is printed by a script when it starts.
[ -z "$(running --regexp=prometheus)" ] || "${compose[@]}" kill --signal HUP prometheus
[ -z "$(running --regexp=alertmanager)" ] || "${compose[@]}" restart alertmanager
