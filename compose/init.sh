#!/usr/bin/env bash
# compose/init.sh <https address> <contact email>
# Writes .env for a production installation on this machine, with new secrets, and config/probe-targets.yml. Keep a copy of it in a safe place.
#   compose/init.sh https://go.example.com hello@example.com
set -euo pipefail
umask 077
cd "$(dirname "${BASH_SOURCE[0]}")/.."

address=${1:-} email=${2:-}
if [[ ! $address =~ ^https://[a-zA-Z0-9.-]+$ || ! $email =~ ^[^[:space:]@]+@[^[:space:]@]+$ ]]; then
  echo "Usage: compose/init.sh https://go.example.com hello@example.com" >&2
  exit 1
fi
if [ -e .env ]; then
  echo ".env exists. Move it away first." >&2
  exit 1
fi

secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

cat >.env <<END
# Written by compose/init.sh. .env.example describes these variables and all others.
TAPTHRU_ENV=production
PUBLIC_BASE_URL=$address
CONTACT_EMAIL=$email

# The proxy that serves https runs on this machine: it sends requests to 127.0.0.1:8080, and nobody else reaches the gateway.
PUBLISH_ADDRESS=127.0.0.1
GATEWAY_TRUSTED_PROXIES=uniquelocal

POSTGRES_PASSWORD=$(secret)
API_DATABASE_PASSWORD=$(secret)
REDIRECT_DATABASE_PASSWORD=$(secret)
WORKER_DATABASE_PASSWORD=$(secret)
SESSION_KEYS=$(secret)
OUTCOME_KEY=$(secret)
ENCRYPTION_KEYS=$(secret)
WEBHOOK_KEYS=$(secret)

# The mail server, such as smtps://user:password@host:465. Without it users cannot confirm an address or reset a password.
#SMTP_URL=
#SMTP_FROM=

# Daily dumps, monitoring on :9090 and :9093, and dashboards on :3000: remove what you do not want.
COMPOSE_PROFILES=backup,monitoring,grafana
METRICS_ADDRESS=gateway-metrics:5514
END
# Monitoring opens the address, and warns before its certificate expires. Prometheus is another user.
[ -e config/probe-targets.yml ] || (umask 022 && mkdir -p config && echo "- targets: [\"$address\"]" >config/probe-targets.yml)
echo "Wrote .env. Next: docker compose up --detach --build"
echo "Then docker compose logs migrate shows the link with which you, the operator, sign up."
