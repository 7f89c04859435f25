#!/bin/sh
# Dumps the database of PGHOST, PGDATABASE, PGUSER and PGPASSWORD into BACKUP_DIR (/backups) and keeps the newest
# BACKUP_KEEP dumps. With the argument "now" it writes one dump, otherwise one each day at BACKUP_TIME (UTC, hh:mm).
# Only the owner can read a dump. It holds no outbox rows, because these have transaction ids of this server.
set -eu
umask 077
folder=${BACKUP_DIR:-/backups}

dump() {
  file="$folder/tapthru-$(date -u +%Y-%m-%dT%H%M%SZ).dump"
  pg_dump --format=custom --exclude-table-data=link_changes --file="$file.part" &&
    pg_restore --list "$file.part" >/dev/null &&
    mv "$file.part" "$file" || { rm -f "$file.part"; return 1; }
  echo "wrote $file"
  find "$folder" -name 'tapthru-*.dump' | sort -r | tail -n "+$((BACKUP_KEEP + 1))" | xargs -r rm --
}

if [ "${1:-}" = now ]; then
  dump
  exit
fi
while :; do
  now=$(date -u +%s)
  next=$(date -u -d "$BACKUP_TIME" +%s)
  [ "$next" -gt "$now" ] || next=$((next + 86400))
  sleep "$((next - now))"
  dump || echo "the dump failed" >&2
done
