#!/usr/bin/env bash
# [AGE_IDENTITY_FILE=key.txt] infra/compose/upgrade-postgres.sh [options of docker compose]
# Moves the database of the container postgres to another major version: that of the image which the settings name. The new server
# starts empty, because the data of each major version are in a folder of their own, and is filled from a dump. Nothing is created
# and no link opens until that is done; sessions end. If it fails, the old server runs again with all that it had. The old data stay
# on the volume until you remove them: the script says where.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compose=(docker compose "$@")

setting() { "${compose[@]}" config --environment | sed -n "s/^$1=//p"; }
variable_of() { docker inspect --format '{{range .Config.Env}}{{println .}}{{end}}' "$1" | sed -n "s/^$2=//p"; }

container=$("${compose[@]}" ps --quiet postgres)
[ -n "$container" ] || { echo "No container of Postgres runs." >&2 && exit 1; }
old_image=$(docker inspect --format '{{.Config.Image}}' "$container")
image=$("${compose[@]}" config --images postgres)
docker image inspect "$image" >/dev/null 2>&1 || docker pull "$image"
old=$(variable_of "$container" PG_MAJOR)
new=$(variable_of "$image" PG_MAJOR)
if [ "$old" = "$new" ]; then
  echo "Postgres is of version $old already: infra/compose/upgrade.sh --stores applies a new image of it." >&2
  exit 1
fi
if [ -n "$(setting BACKUP_AGE_RECIPIENT)" ]; then : "${AGE_IDENTITY_FILE:?must be the file with the key of BACKUP_AGE_RECIPIENT}"; fi

start_old() {
  trap - ERR INT TERM
  [ "$BASH_SUBSHELL" -eq 0 ] || exit 1
  trap '' HUP
  echo >&2 || exec >/dev/null 2>&1 # The terminal was closed.
  echo "Postgres $old is started again, with all that it had. Set POSTGRES_IMAGE=$old_image in .env until this works." >&2
  POSTGRES_IMAGE=$old_image "${compose[@]}" up --detach --wait
  exit 1
}
trap start_old ERR INT TERM HUP

# Its programs must be as new as the server that they write to.
[ -n "$(setting IMAGE_REGISTRY)" ] || "${compose[@]}" build backup
# Certificates would be removed that the new server does not have yet.
"${compose[@]}" stop api redirect certificates
sleep 5 # The worker adds the clicks of the last moment.
"${compose[@]}" stop worker
dump=$("${compose[@]}" run --rm --no-deps -T backup before-upgrade | sed -n 's|^wrote .*/||p')
backups=$(setting BACKUP_DIR)
infra/compose/restore.sh "${backups:-backups}/$dump" "$@"
trap - ERR INT TERM HUP
echo "Postgres $new runs. The data of $old are in /var/lib/postgresql/$old of the container postgres: remove them when you do not need them any more."
