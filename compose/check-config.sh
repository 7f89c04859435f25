#!/usr/bin/env bash
# compose/check-config.sh [options of docker compose]
# Reads the configuration of every service in its image and prints all errors as JSON.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if docker compose version >/dev/null 2>&1; then compose=(docker compose "$@"); else compose=(docker-compose "$@"); fi

READ_CONFIG='
  import { readConfigAtBoot } from "@tapthru/runtime/config/boot-config";
  const { readConfig } = await import(process.cwd() + "/src/config.ts");
  readConfigAtBoot(process.argv[1], readConfig);'
status=0
for service in migrate api redirect worker gateway; do
  "${compose[@]}" run --rm --no-deps -T --entrypoint node "$service" \
    --input-type=module --eval "$READ_CONFIG" "$service" </dev/null || status=1
done
exit "$status"
