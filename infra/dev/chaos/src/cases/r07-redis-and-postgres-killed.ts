import { setTimeout as delay } from "node:timers/promises";
import { none } from "../check-result.ts";
import { checkVitals, readVitals } from "../evidence/vitals.ts";
import type { FaultCase } from "../fault-case.ts";
import { crash, stopPostgresImmediately } from "../injectors/crash.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { runLoad } from "../load/load.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { visitFor, visitWhile } from "../load/visits/visit-load.ts";
import { visitFailures, visitRequest } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";

const OUTAGE_S = 60;
/** Redis and Postgres become unavailable, then available. */
const TRANSITIONS = 4;

export const redisAndPostgresKilled: FaultCase = {
  id: "R7",
  title: "Redis and Postgres killed",
  expected:
    "L1 links 0 failed until entries age out (documented, ≥ 10 min); the rest 503 + Retry-After ≤ 100 ms",
  procedure:
    "1,000 links in the memory of both replicas are visited 500 times per second, first for a baseline of 15 s, then while both Redis servers and Postgres are killed and are unavailable for 60 s. During the outage, other links are visited 20 times per second. The tests of redirect check with a simulated clock that entries are served for 50 minutes when no dependency is available.",
  timeoutMs: 4 * 60_000,
  async run(trial) {
    const { testbed, signal, log } = trial;
    const { url: origin, databaseUrl } = testbed;
    const visitLoad = { visits: await insertWarmLinks(trial, 1_000), perSecond: 500 };
    const cold = await insertLinks(databaseUrl, newCodes(20 * OUTAGE_S));
    const requests = cold.map(visitRequest);
    const baseline = await readVitals(testbed);
    const before = await visitFor(trial, visitLoad, 15);
    const beforeFault = await readVitals(testbed);

    log("visiting them without Redis and Postgres");
    const [during, refused] = await visitWhile(trial, visitLoad, async () => {
      await Promise.all([
        crash(testbed, "cache Redis"),
        crash(testbed, "queue Redis"),
        stopPostgresImmediately(testbed),
      ]);
      const [exchanges] = await Promise.all([
        runLoad({ origin, perSecond: 20, requests, total: requests.length }, signal),
        delay(OUTAGE_S * 1_000, undefined, { signal }),
      ]);
      await Promise.all([
        testbed.start("cache Redis"),
        testbed.start("queue Redis"),
        testbed.start("Postgres"),
      ]);
      await delay(3_000, undefined, { signal });
      return exchanges;
    });
    const afterFault = await readVitals(testbed);
    const opened = await runLoad(
      { origin, perSecond: 200, requests, total: requests.length },
      signal,
    );
    return [
      ...checkVisits({ visits: visitLoad.visits, before, during, maxRatio: null }),
      ...checkRefusals("visits of other links", refused, 100),
      none("of these, links that fail 3 s after the restart", visitFailures(cold, opened)),
      ...checkVitals({ baseline, beforeFault, afterFault, transitions: TRANSITIONS }),
    ];
  },
};
