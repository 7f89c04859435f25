import { redirectKey } from "@tapthru/proto/redirect/record";
import { Redis } from "ioredis";
import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { Trial } from "../fault-case.ts";
import { openLink } from "../load/visits/open-link.ts";
import { visitOnce } from "../load/visits/visit-load.ts";
import { codesOf, type Visit, visitFailures } from "../load/visits/visits.ts";
import type { Region } from "../testbed/region.ts";

const PER_SECOND = 50;

/** Removes the links from the region's Redis, so that a redirect without them in memory needs the standby. */
export async function keepInStandbyOnly(
  { cachePort }: Region,
  visits: readonly Visit[],
): Promise<void> {
  const redis = new Redis({ port: cachePort });
  try {
    await redis.del(codesOf(visits).map(redirectKey));
  } finally {
    redis.disconnect();
  }
}

/** Starts a redirect in the region, which is cut off, and visits links there that only the standby has. */
export async function openAtNewRedirect(
  trial: Trial,
  region: Region,
  visits: readonly Visit[],
): Promise<CheckResult[]> {
  const { origin } = await region.startThirdRedirect();
  const responds = async () => (await openLink(origin, visits[0] as Visit)).response !== null;
  const startS = await trial.secondsUntil(responds, 30_000);
  const exchanges = await visitOnce(trial, visits, PER_SECOND, origin);
  return [
    atMost("time until a redirect that started during the cut responded", startS, 10, "s"),
    observed("links that only the standby had", visits.length),
    none("of these, not opened by this redirect", visitFailures(visits, exchanges)),
  ];
}
