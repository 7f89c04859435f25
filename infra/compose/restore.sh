#!/usr/bin/env bash
# [AGE_IDENTITY_FILE=key.txt] infra/compose/restore.sh <dump> [options of docker compose]
# infra/compose/restore.sh --undo [options of docker compose]
# Replaces the database of a running or a new installation by a dump of backup.sh: that of the container postgres, or the
# external one of MIGRATE_DATABASE_URL_FILE, whose role must be allowed to create databases. If the dump cannot be restored,
# nothing has changed. The database that was replaced is kept until the next restore: --undo exchanges the two. Short links do not open while the databases are swapped. Sessions end, and what happened after the dump
# is lost.
set -euo pipefail
dump=${1:?Usage: infra/compose/restore.sh <dump>|--undo [options of docker compose]}
[ "$dump" = --undo ] || dump=$(realpath -- "$dump")
[ "$dump" = --undo ] || [ -r "$dump" ] || { echo "$dump cannot be read." >&2 && exit 1; }
shift
identity=()
if [[ $dump == *.age ]]; then
  : "${AGE_IDENTITY_FILE:?must be the file with the key of BACKUP_AGE_RECIPIENT}"
  identity=(--volume "$(realpath -- "$AGE_IDENTITY_FILE"):/run/identity:ro" --env AGE_IDENTITY_FILE=/run/identity)
fi
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compose=(docker compose "$@")
backup=("${compose[@]}" run --rm --no-deps -T)

"${compose[@]}" up --detach --no-deps --wait postgres redis-cache redis-queue
"${compose[@]}" run --rm --no-deps migrate # Creates the roles that a new Postgres lacks.
[ "$dump" = --undo ] || "${backup[@]}" "${identity[@]}" backup restore <"$dump"
trap '"${compose[@]}" up --detach' EXIT # Also migrates a dump of an earlier release.
"${compose[@]}" stop api redirect worker
if [ "$dump" = --undo ]; then "${backup[@]}" backup undo; else "${backup[@]}" backup swap; fi
for redis in redis-cache redis-queue; do
  [ -z "$("${compose[@]}" ps --quiet "$redis")" ] || "${compose[@]}" exec -T "$redis" redis-cli FLUSHALL
done
if "${compose[@]}" config --environment | grep -E '^REDIS_(CACHE|QUEUE|SESSION)_URL(_FILE)?=.' >/dev/null; then
  trap - EXIT
  echo "Empty your own Redis servers (FLUSHALL), then run: docker compose up --detach"
fi
