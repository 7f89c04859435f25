#!/usr/bin/env bash
# infra/compose/set-postgres-password.sh [options of docker compose]
# Sets the password of the role tapthru in an existing volume to POSTGRES_PASSWORD. Postgres reads that variable only
# when it creates the volume. Needed, for example, when a demo becomes a production installation.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compose=(docker compose "$@")

"${compose[@]}" up --detach --no-deps postgres
until "${compose[@]}" exec -T postgres pg_isready --quiet --host=127.0.0.1 --username=tapthru </dev/null; do sleep 1; done
"${compose[@]}" exec -T postgres sh -c 'psql --username=tapthru --quiet --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD"' \
  <<<"ALTER ROLE tapthru PASSWORD :'password';"
echo "The password of the role tapthru is now POSTGRES_PASSWORD."
