#!/bin/sh
# Entry point of the backup container. Dumps the database each day at BACKUP_TIME (UTC, hh:mm) into /backups and keeps
# the newest BACKUP_KEEP dumps. With the argument "now": one dump, then exit.
set -eu

dump() {
  file="/backups/tapthru-$(date -u +%Y-%m-%dT%H%M%SZ).dump"
  pg_dump --format=custom --file="$file.part" && mv "$file.part" "$file" || { rm -f "$file.part"; return 1; }
  echo "wrote $file"
  find /backups -name 'tapthru-*.dump' | sort -r | tail -n "+$((BACKUP_KEEP + 1))" | xargs -r rm --
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
