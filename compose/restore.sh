#!/usr/bin/env bash
# compose/restore.sh <dump> [options of docker compose]
# Replaces the installation's database by a dump of backup.sh. Short links do not open meanwhile. Sessions end, and what
# happened after the dump is lost.
set -euo pipefail
dump=$(realpath -- "${1:?Usage: compose/restore.sh <dump> [options of docker compose]}")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if docker compose version >/dev/null 2>&1; then compose=(docker compose "$@"); else compose=(docker-compose "$@"); fi
postgres=("${compose[@]}" exec -T postgres)

"${compose[@]}" stop api redirect worker
"${compose[@]}" up --detach --no-deps postgres redis-cache redis-queue
until "${postgres[@]}" pg_isready --quiet --host=127.0.0.1 --username=tapthru </dev/null; do sleep 1; done
"${compose[@]}" run --rm --no-deps migrate # Creates the roles that a new volume lacks.
"${postgres[@]}" pg_restore --list <"$dump" >/dev/null
"${postgres[@]}" dropdb --force --username=tapthru --maintenance-db=postgres tapthru
"${postgres[@]}" createdb --username=tapthru --maintenance-db=postgres tapthru
"${postgres[@]}" pg_restore --username=tapthru --dbname=tapthru --exit-on-error --single-transaction <"$dump"
for redis in redis-cache redis-queue; do
  "${compose[@]}" exec -T "$redis" redis-cli FLUSHALL
done
"${compose[@]}" up --detach # Migrates a dump of an earlier release.
