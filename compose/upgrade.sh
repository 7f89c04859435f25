#!/usr/bin/env bash
# compose/upgrade.sh [--no-build] [options of docker compose]
# Upgrades a running installation to the images of this checkout. Each container of redirect and api is replaced by a new one
# that is healthy before the old one drains. The gateway owns the published port: for about a second, between the old and the new
# one, connections are refused. Stops at the first error; containers that are not replaced yet keep running. --no-build uses the existing images of TAPTHRU_VERSION.
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

# Starts the new gateway without the port, to see that it becomes healthy, and then in place of the old one.
replace_gateway() {
  local old trial lender=
  old=$(containers gateway)
  trial=$("${compose[@]}" run --detach --no-deps gateway)
  wait_until_healthy "$trial" gateway
  docker rm --force "$trial" >/dev/null
  # Releases before 2026-11-24 had a container that lent its network to the gateway.
  [ -z "$old" ] || lender=$(docker inspect --format '{{.HostConfig.NetworkMode}}' "$old" | sed -n 's/^container://p')
  [ -z "$lender" ] || docker rm --force "$lender" >/dev/null
  "${compose[@]}" up --detach --no-deps gateway
}

[ "$build" = no ] || "${compose[@]}" build
compose/check-config.sh "$@"
"${compose[@]}" up --detach --no-deps --no-recreate postgres redis-cache redis-queue
"${compose[@]}" run --rm --no-deps migrate
replace redirect
replace api
"${compose[@]}" up --detach --no-deps worker
replace_gateway
