#!/usr/bin/env bash
# compose/restore.sh <dump> [options of docker compose]
# Replaces the installation's database by a dump of backup.sh. Short links do not open meanwhile. Sessions end, and what
# happened after the dump is lost.
set -euo pipefail
dump=$(realpath -- "${1:?Usage: compose/restore.sh <dump> [options of docker compose]}")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
compose=(docker compose "$@")
postgres=("${compose[@]}" exec -T postgres)

"${compose[@]}" stop api redirect worker
"${compose[@]}" up --detach --wait postgres redis-cache redis-queue
"${compose[@]}" run --rm --no-deps migrate # Creates the roles that a new volume lacks.
"${postgres[@]}" pg_restore --list <"$dump" >/dev/null
"${postgres[@]}" dropdb --username=tapthru --maintenance-db=postgres tapthru
"${postgres[@]}" createdb --username=tapthru --maintenance-db=postgres tapthru
"${postgres[@]}" pg_restore --username=tapthru --dbname=tapthru --exit-on-error --single-transaction <"$dump"
for redis in redis-cache redis-queue; do
  "${compose[@]}" exec -T "$redis" redis-cli FLUSHALL
done
"${compose[@]}" up --detach # Migrates a dump of an earlier release.
