import { none } from "../check-result.ts";
import type { FaultCase } from "../fault-case.ts";
import { crash, stopPostgresImmediately } from "../injectors/crash.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { visitDuringFault } from "../load/visits/visit-during-fault.ts";
import { visitOnce } from "../load/visits/visit-load.ts";
import { visitFailures } from "../load/visits/visits.ts";

const VISITS = { links: 1_000, perSecond: 500, baselineS: 15, maxRatio: null, transitions: 4 };
const OUTAGE_S = 60;

export const redisAndPostgresKilled: FaultCase = {
  id: "R7",
  title: "Redis and Postgres killed",
  expected:
    "L1 links 0 failed until entries age out (documented, ≥ 10 min); the rest 503 + Retry-After ≤ 100 ms",
  procedure:
    "1,000 links in the memory of both replicas are visited 500 times per second, first for a baseline of 15 s, then while both Redis servers and Postgres are killed and are unavailable for 60 s. During the outage, other links are visited 20 times per second. The tests of redirect check with a simulated clock that entries are served for 50 minutes when no dependency is available.",
  timeoutMs: 4 * 60_000,
  async run(trial) {
    const { testbed, pause } = trial;
    const cold = await insertLinks(testbed.databaseUrl, newCodes(20 * OUTAGE_S));
    const results = await visitDuringFault(trial, VISITS, async () => {
      await Promise.all([
        crash(testbed, "cache Redis", "queue Redis"),
        stopPostgresImmediately(testbed),
      ]);
      const [refused] = await Promise.all([visitOnce(trial, cold, 20), pause(OUTAGE_S * 1_000)]);
      await testbed.start("cache Redis", "queue Redis", "Postgres");
      await pause(3_000);
      return checkRefusals("visits of other links", refused, 100);
    });
    const opened = await visitOnce(trial, cold, 200);
    return [
      ...results,
      none("of these, links that fail 3 s after the restart", visitFailures(cold, opened)),
    ];
  },
};
