#!/usr/bin/env bash
# infra/compose/check-config.sh [options of docker compose]
# Reads the configuration of every service in its image and prints all errors as JSON.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compose=(docker compose "$@")

READ_CONFIG='
  import { readConfigAtBoot } from "@tapthru/core/platform/config/configs";
  readConfigAtBoot(process.argv[1]);'
status=0
check() {
  "${compose[@]}" run --rm --no-deps -T --entrypoint node "$1" \
    --input-type=module --eval "$READ_CONFIG" "$1" </dev/null || status=1
}
check migrate
check api
check redirect
check worker
check gateway
if "${compose[@]}" config --services | grep '^certificates$' >/dev/null; then check certificates; fi
exit "$status"
