#!/usr/bin/env bash
# compose/upgrade.sh [--no-build] [options of docker compose]
# Upgrades a running installation to the images of this checkout without a failed request. Each container of redirect, api
# and gateway is replaced by a new one that is healthy before the old one drains. Stops at the first error;
# containers that are not replaced yet keep running. --no-build uses the existing images of TAPTHRU_VERSION.
#   compose/upgrade.sh
#   compose/upgrade.sh --env-file .env.demo --project-name demo
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=yes
if [ "${1:-}" = --no-build ]; then
  build=no
  shift
fi
if docker compose version >/dev/null 2>&1; then compose=(docker compose "$@"); else compose=(docker-compose "$@"); fi
HEALTHY_WITHIN_SECONDS=120

containers() { "${compose[@]}" ps -q "$1"; }

wait_until_healthy() {
  local deadline=$((SECONDS + HEALTHY_WITHIN_SECONDS))
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" = healthy ]; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      docker logs --tail 20 "$1" >&2
      docker inspect --format '{{range .State.Health.Log}}{{.Output}}{{end}}' "$1" | tail -n 1 >&2
      docker rm --force "$1" >/dev/null
      echo "The new container of $2 did not become healthy; the old ones keep running." >&2
      exit 1
    fi
    sleep 1
  done
}

# Replaces every container of the service: starts a new one, waits until it is healthy, then drains an old one.
replace() {
  local service=$1 old before count container new
  old=$(containers "$service")
  count=$(wc -w <<<"$old")
  if [ "$count" -eq 0 ]; then
    "${compose[@]}" up --detach --no-deps "$service"
    return
  fi
  for container in $old; do
    before=$(containers "$service")
    "${compose[@]}" up --detach --no-deps --no-recreate --scale "$service=$((count + 1))" "$service"
    new=$(comm -13 <(sort <<<"$before") <(containers "$service" | sort))
    wait_until_healthy "$new" "$service"
    docker stop --time 30 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
}

[ "$build" = no ] || "${compose[@]}" build
compose/check-config.sh "$@"
"${compose[@]}" up --detach --no-deps --no-recreate postgres redis-cache redis-queue port
"${compose[@]}" run --rm --no-deps migrate
replace redirect
replace api
"${compose[@]}" up --detach --no-deps worker
replace gateway
