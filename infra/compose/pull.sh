#!/usr/bin/env bash
# infra/compose/pull.sh [options of docker compose]
# Gets the images that are missing: those of a release by the digests with which it was published, which its file digests lists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compose=(docker compose "$@")

if [ -e infra/compose/digests ]; then
  for image in $("${compose[@]}" config --images); do
    digest=$(sed -n "s|^${image##*/} ||p" infra/compose/digests)
    [ -n "$digest" ] || continue
    docker pull --quiet "${image%:*}@$digest"
    docker tag "${image%:*}@$digest" "$image"
  done
fi
"${compose[@]}" pull --policy missing --quiet
