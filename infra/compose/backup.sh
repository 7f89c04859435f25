#!/usr/bin/env bash
# Dumps and restores the database of DATABASE_URL, or of the file that DATABASE_URL_FILE names.
#   backup.sh daily     writes a dump each day at BACKUP_TIME (UTC, hh:mm), and at once if the last day has none
#   backup.sh now       writes a dump
#   backup.sh before-upgrade   the same. The newest three of these are kept, whatever other dumps are written
#   backup.sh restore   reads a dump from its input into a new database beside the present one
#   backup.sh swap      replaces the present database by the new one, and keeps it until the next time
#   backup.sh undo      replaces the present database by the one that the last swap replaced, and the reverse
# Dumps are in BACKUP_DIR (/backups): the newest of each of seven days and of each of four weeks. Only their owner can read them.
# BACKUP_COPY_COMMAND copies each to another machine: bash runs it with the path as $1. A dump that it could not copy counts as failed.
# With BACKUP_AGE_RECIPIENT (age1…) they are encrypted with age; AGE_IDENTITY_FILE decrypts them. They hold no outbox rows,
# because these have transaction ids of this server. With PING_URL, `daily` requests that address every five minutes while the site at
# PUBLIC_BASE_URL and the database respond and a dump succeeded in the last 26 hours: a service such as healthchecks.io reports when that ends.
set -euo pipefail
umask 077
folder=${BACKUP_DIR:-/backups}
url=${DATABASE_URL:-}
[ -z "${DATABASE_URL_FILE:-}" ] || url=$(cat "$DATABASE_URL_FILE")

# The password goes into the environment: arguments are in the list of processes.
password=$(sed -nE 's|^[^:]+://[^:@/]*:([^@/]*)@.*|\1|p' <<<"$url" | sed 's/\\/\\\\/g; s/%/\\x/g')
PGPASSWORD=$(printf %b "$password")
export PGPASSWORD
# The services verify the certificate with sslmode=require; Postgres's programs call this verify-full.
url=$(sed -E 's|^([^:]+://[^:@/]*):[^@/]*@|\1@|; s/sslmode=require/sslmode=verify-full/; s/sslmode=no-verify/sslmode=require/' <<<"$url")
[[ $url != *sslmode=verify-full* ]] || export PGSSLROOTCERT=${NODE_EXTRA_CA_CERTS:-system}
name=$(sed -E 's|^[^/]*//[^/]*/([^?]*).*|\1|' <<<"$url")
new_name=${name}_restored
old_name=${name}_before_restore

url_of() { sed -E "s|^([^/]*//[^/]*/)[^?]*|\1$1|" <<<"$url"; }
run_sql() { psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname="$(url_of "$1")" "${@:2}"; }

# Only those that this script has named.
dumps() { find "$folder" -maxdepth 1 -regex '.*/tapthru-[0-9-]+T[0-9]+Z\.dump\(\.age\)?'; }

now() {
  local encrypt=(cat) reader
  file=$folder/tapthru-$(date -u +%Y-%m-%dT%H%M%SZ)${1:-}.dump
  if [ -n "${BACKUP_AGE_RECIPIENT:-}" ]; then
    file=$file.age
    encrypt=(age --recipient "$BACKUP_AGE_RECIPIENT")
  fi
  trap 'rm -f "$file.part"' EXIT
  # Reads all of the dump. It is not on the disk before it is encrypted.
  exec 3> >(pg_restore --file=/dev/null)
  reader=$!
  pg_dump --dbname="$url" --format=custom --exclude-table-data=link_changes | tee /dev/fd/3 | "${encrypt[@]}" >"$file.part"
  exec 3>&-
  wait "$reader"
  mv "$file.part" "$file"
  superseded | xargs -r rm --
  # Not as an argument: it may contain a password.
  [ -z "${BACKUP_COPY_COMMAND:-}" ] || bash -euo pipefail -c 'eval "$BACKUP_COPY_COMMAND"' backup "$file" >&2
  write_metrics "$(date +%s)" "$(stat --format=%s "$file")"
  echo "wrote $file"
}

before-upgrade() {
  now -before-upgrade
  # Several, because an upgrade that failed is tried again.
  find "$folder" -maxdepth 1 -name 'tapthru-*-before-upgrade.dump*' | sort -r | tail -n +4 | xargs -r rm --
}

# For the node exporter, which reads every *.prom of a folder. Arguments: Unix time and size of the newest dump.
write_metrics() {
  local metrics=$folder/tapthru_backup.prom
  cat >"$metrics.part" <<END
# HELP tapthru_backup_last_success_timestamp_seconds When the newest dump was written
# TYPE tapthru_backup_last_success_timestamp_seconds gauge
tapthru_backup_last_success_timestamp_seconds $1
# HELP tapthru_backup_size_bytes Size of the newest dump
# TYPE tapthru_backup_size_bytes gauge
tapthru_backup_size_bytes $2
END
  chmod 644 "$metrics.part"
  mv "$metrics.part" "$metrics"
}

# Whether a dump succeeded in so many seconds.
succeeded_within() {
  local last
  last=$(sed -n 's/^tapthru_backup_last_success_timestamp_seconds //p' "$folder/tapthru_backup.prom" 2>/dev/null || true)
  [ "$(($(date +%s) - ${last:-0}))" -le "$1" ]
}

# Dumps that are neither the newest of one of the seven latest days nor of one of the four latest ISO weeks that have any.
superseded() {
  local file day
  dumps | sort -r | while read -r file; do
    day=${file##*/tapthru-}
    day=${day%%T*}
    echo "$day $(date -u -d "$day" +%G-%V) $file"
  done | awk '{
    is_kept = 0
    if (!days[$1]++ && ++day <= 7) is_kept = 1
    if (!weeks[$2]++ && ++week <= 4) is_kept = 1
    if (!is_kept) print $3
  }'
}

daily() {
  local next
  rm -f "$folder"/tapthru-*.part # Of a run that was killed.
  [ -z "${PING_URL:-}" ] || ping_while_healthy &
  succeeded_within 86400 || now_until_written
  while :; do
    next=$(date -u -d "$BACKUP_TIME" +%s)
    [ "$next" -gt "$(date +%s)" ] || next=$((next + 86400))
    sleep "$((next - $(date +%s)))"
    now_until_written
  done
}

ping_while_healthy() {
  local get=(curl --fail --silent --show-error --location --max-time 20 --output /dev/null)
  while :; do
    sleep "${PING_SECONDS:-300}"
    if ! succeeded_within 93600; then
      echo "no ping: no dump has succeeded for 26 hours" >&2
    elif "${get[@]}" "$PUBLIC_BASE_URL/version.txt" && psql --no-psqlrc --dbname="$url" --output=/dev/null --command="SELECT FROM links LIMIT 0"; then
      "${get[@]}" "$PING_URL" || true
    fi
  done
}

now_until_written() {
  until "$0" now; do
    [ -e "$folder/tapthru_backup.prom" ] || write_metrics 0 0
    echo "the dump failed; the next attempt is in an hour" >&2
    sleep 3600
  done
}

restore() {
  run_sql postgres --command="DROP DATABASE IF EXISTS \"$new_name\"" --command="CREATE DATABASE \"$new_name\""
  if [ -n "${AGE_IDENTITY_FILE:-}" ]; then age --decrypt --identity "$AGE_IDENTITY_FILE"; else cat; fi |
    pg_restore --dbname="$(url_of "$new_name")" --no-owner --exit-on-error --single-transaction
}

swap() {
  run_sql "$new_name" --output=/dev/null --command="SELECT FROM links LIMIT 0"
  run_sql postgres --command="DROP DATABASE IF EXISTS \"$old_name\""
  exchange "$new_name"
}

undo() { exchange "$old_name"; }

# The present database becomes the one of before.
exchange() {
  run_sql postgres --single-transaction --output=/dev/null \
    --command="SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN ('$name', '$1')" \
    --command="ALTER DATABASE \"$name\" RENAME TO \"${name}_replaced\"" \
    --command="ALTER DATABASE \"$1\" RENAME TO \"$name\"" \
    --command="ALTER DATABASE \"${name}_replaced\" RENAME TO \"$old_name\""
}

case ${1:-} in
  daily | now | before-upgrade | restore | swap | undo) "$1" ;;
  *) echo "Usage: backup.sh daily|now|before-upgrade|restore|swap|undo" >&2 && exit 2 ;;
esac
