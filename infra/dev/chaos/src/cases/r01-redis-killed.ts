import { setTimeout as delay } from "node:timers/promises";
import { atMost } from "../check-result.ts";
import { secondsUntilRedisServes } from "../evidence/redirect-sources.ts";
import { checkVitals, readVitals } from "../evidence/vitals.ts";
import type { FaultCase } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { visitFor, visitWhile } from "../load/visits/visit-load.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";

const OUTAGE_MS = 60_000;
/** Redis becomes unavailable, then available. */
const TRANSITIONS = 2;

export const redisKilled: FaultCase = {
  id: "R1",
  title: "Redis killed",
  expected:
    "warm: 0 failed of ≥ 30,000, p99 ≤ 1.5x baseline; cached state again ≤ 3 s after the restart, no process restarts",
  procedure:
    "1,000 links in the memory of both replicas are visited 500 times per second through nginx, first for a baseline of 15 s. Then both Redis servers are killed with SIGKILL, are unavailable for 60 s and are started again; the cache is then empty.",
  timeoutMs: 4 * 60_000,
  async run(trial) {
    const { testbed, signal, log } = trial;
    const visitLoad = { visits: await insertWarmLinks(trial, 1_000), perSecond: 500 };
    const baseline = await readVitals(testbed);
    const before = await visitFor(trial, visitLoad, 15);
    const beforeFault = await readVitals(testbed);
    log("visiting them without any Redis");
    const [during, seconds] = await visitWhile(trial, visitLoad, async () => {
      await Promise.all([crash(testbed, "cache Redis"), crash(testbed, "queue Redis")]);
      await delay(OUTAGE_MS, undefined, { signal });
      await Promise.all([testbed.start("cache Redis"), testbed.start("queue Redis")]);
      return secondsUntilRedisServes(trial);
    });
    const afterFault = await readVitals(testbed);
    return [
      ...checkVisits({ visits: visitLoad.visits, before, during, maxRatio: 1.5 }),
      atMost("time until Redis served again after its restart", seconds, 3, "s"),
      ...checkVitals({ baseline, beforeFault, afterFault, transitions: TRANSITIONS }),
    ];
  },
};
