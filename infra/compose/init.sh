#!/usr/bin/env bash
# infra/compose/init.sh <https address> <contact email> [proxy]
# Writes .env for a production installation on this machine, with new secrets, and the directories
# config and secrets. IMAGE_REGISTRY, TAPTHRU_VERSION, PUBLISH_PORT, SMTP_URL and PING_URL may be in the environment. Keep a copy of .env in a safe place. The gateway serves https itself, or with `proxy` a proxy on this machine does. install.sh runs this script.
#   infra/compose/init.sh https://go.example.com hello@example.com
set -euo pipefail
umask 077
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

address=${1:-} email=${2:-} https=${3:-}
if [[ ! $address =~ ^https://[a-z0-9.-]+$ || ! $email =~ ^[^[:space:]@]+@[^[:space:]@]+$ || ! $https =~ ^(proxy)?$ ]]; then
  echo "Usage: infra/compose/init.sh https://go.example.com hello@example.com [proxy]" >&2
  exit 1
fi
if [ -e .env ]; then
  echo ".env exists. Move it away first." >&2
  exit 1
fi

secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

if [ "$https" = proxy ]; then
  serve_https="# The proxy that serves https runs on this machine: it sends requests to 127.0.0.1:${PUBLISH_PORT:-8080}, and nobody else reaches the gateway.
PUBLISH_ADDRESS=127.0.0.1
PUBLISH_PORT=${PUBLISH_PORT:-8080}
GATEWAY_TRUSTED_PROXIES=uniquelocal"
else
  serve_https="# The gateway serves https on the ports 80 and 443, with certificates of Let's Encrypt, which may write to TLS_EMAIL.
TLS=on
TLS_EMAIL=$email"
fi

if [ -n "${SMTP_URL:-}" ]; then
  mail="# The mail server, and the sender of emails, whom it must accept.
SMTP_URL=$SMTP_URL
SMTP_FROM=$email"
else
  mail="# The mail server, such as smtps://user:password@host:465. Without it users cannot confirm an address or reset a password, so
# people sign up by invitation only. With both settings remove SIGNUP_MODE to let everybody sign up.
#SMTP_URL=
#SMTP_FROM=
SIGNUP_MODE=invitation"
fi

cat >.env.part <<END
# Written by infra/compose/init.sh. .env.example describes these variables and all others.
TAPTHRU_ENV=production
PUBLIC_BASE_URL=$address
CONTACT_EMAIL=$email
IMAGE_REGISTRY=${IMAGE_REGISTRY:-}
TAPTHRU_VERSION=${TAPTHRU_VERSION:-local}

$serve_https

POSTGRES_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
API_DATABASE_PASSWORD=$(secret)
REDIRECT_DATABASE_PASSWORD=$(secret)
MONITORING_DATABASE_PASSWORD=$(secret)
WORKER_DATABASE_PASSWORD=$(secret)
SESSION_KEYS=$(secret)
OUTCOME_KEY=$(secret)
ENCRYPTION_KEYS=$(secret)
WEBHOOK_KEYS=$(secret)

$mail

# For a machine with 2 GB of memory, whose limits fit together. With more, remove them, and have about one redirect for each core.
REDIRECT_REPLICAS=1
POSTGRES_MAX_CONNECTIONS=100
POSTGRES_SHARED_BUFFERS=64MB
POSTGRES_MEMORY_LIMIT=320m
REDIS_CACHE_MEMORY=48mb
REDIS_CACHE_MEMORY_LIMIT=80m
REDIS_QUEUE_MEMORY=64mb
REDIS_QUEUE_MEMORY_LIMIT=128m
GATEWAY_MEMORY_LIMIT=112m
API_MEMORY_LIMIT=272m
REDIRECT_MEMORY_LIMIT=256m
WORKER_MEMORY_LIMIT=544m

# Daily dumps. Monitoring on :9090 and :9093 and dashboards on :3000 need 1 GB more: add them as backup,monitoring,grafana, and METRICS_ADDRESS.
COMPOSE_PROFILES=backup
# A service such as healthchecks.io writes to you if this address gets no request for some minutes: the site, the database or the dumps fail.
PING_URL=${PING_URL:-}
#METRICS_ADDRESS=gateway-metrics:5514
END
mv .env.part .env # Never half of it.
umask 022 # Containers read these as other users.
mkdir -p config secrets/{api,redirect,worker,gateway,certificates,migrate}
# Monitoring opens the address, and warns before its certificate expires.
[ -e config/probe-targets.yml ] || echo "- targets: [\"$address\"]" >config/probe-targets.yml
echo "Wrote .env, which only you can read."
