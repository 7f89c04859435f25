#!/usr/bin/env bash
# compose/set-postgres-password.sh [options of docker compose]
# Gives the role tapthru of an existing volume the password that POSTGRES_PASSWORD now holds. Postgres takes that
# variable only when it creates the volume, for example when a demo becomes a production installation.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if docker compose version >/dev/null 2>&1; then compose=(docker compose "$@"); else compose=(docker-compose "$@"); fi

"${compose[@]}" up --detach --no-deps postgres
until "${compose[@]}" exec -T postgres pg_isready --quiet --host=127.0.0.1 --username=tapthru </dev/null; do sleep 1; done
"${compose[@]}" exec -T postgres sh -c 'psql --username=tapthru --quiet --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD"' \
  <<<"ALTER ROLE tapthru PASSWORD :'password';"
echo "The role tapthru has the password of POSTGRES_PASSWORD."
