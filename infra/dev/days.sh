#!/usr/bin/env bash
# Runs the unit and service tests at moments at which programs that count days go wrong: those of the arguments, by default
# all below. libfaketime (package `faketime` of Debian) shows them to Node, Postgres, Redis and nginx.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

MOMENTS=(
  "2027-01-31 12:00:00 UTC"
  "2027-03-01 00:00:30 UTC"
  "2027-12-31 23:59:30 UTC"
  "2028-02-29 12:00:00 UTC"
  # Ten seconds before the clocks change in Los Angeles and Berlin.
  "2027-03-14 09:59:50 UTC"
  "2027-03-28 00:59:50 UTC"
  "2027-10-31 00:59:50 UTC"
  "2027-11-07 08:59:50 UTC"
)
[ $# -eq 0 ] || MOMENTS=("$@")

library=$(find /usr/lib -name libfaketimeMT.so.1 -print -quit)
[ -n "$library" ] || { echo "libfaketime is missing: apt-get install faketime" >&2; exit 1; }

failed=0
for moment in "${MOMENTS[@]}"; do
  echo "== $moment"
  offset=$(($(date -d "$moment" +%s) - $(date +%s)))
  # Without libc after it, libfaketime finds an old version of pthread_cond_timedwait, and Node hangs. Some tests of time limits
  # of Postgres are skipped: during a wait it shows a signal handler the real time.
  env FAKETIME="$(printf %+d "$offset")" FAKETIME_DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1 \
    LD_PRELOAD="$library libc.so.6" EVERYDAY_TESTS=1 \
    npx --yes pnpm@10 exec vitest run --project=proto --project=node --reporter=dot || failed=1
done
exit "$failed"
