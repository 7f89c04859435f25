import { setTimeout as delay } from "node:timers/promises";
import { atMost } from "../check-result.ts";
import { secondsUntilRedisServes } from "../evidence/redirect-sources.ts";
import { checkVitals, readVitals } from "../evidence/vitals.ts";
import type { FaultCase } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { checkVisits } from "../load/check-visits.ts";
import { visitFor, visitWhile } from "../load/visiting.ts";
import { makeWarmLinks } from "../load/warm-links.ts";

const AWAY_MS = 60_000;
/** Redis goes, and comes back. */
const TRANSITIONS = 2;

export const redisKilled: FaultCase = {
  id: "R1",
  title: "Redis killed",
  mustHold:
    "warm: 0 failed of ≥ 30,000, p99 ≤ 1.5x baseline; back to cached state ≤ 3 s after return, no restart",
  done: "1,000 links in the memory of both replicas are visited 500 times a second through nginx, for 15 s as a baseline, then while both Redis are killed with -9, stay away for 60 s and are started again, the cache empty.",
  withinMs: 4 * 60_000,
  async run(trial) {
    const { testbed, signal, say } = trial;
    const visiting = { visits: await makeWarmLinks(trial, 1_000), perSecond: 500 };
    const begun = await readVitals(testbed);
    const before = await visitFor(trial, visiting, 15);
    const broken = await readVitals(testbed);
    say("visiting them without any Redis");
    const [meanwhile, seconds] = await visitWhile(trial, visiting, async () => {
      await Promise.all([crash(testbed, "cache Redis"), crash(testbed, "queue Redis")]);
      await delay(AWAY_MS, undefined, { signal });
      await Promise.all([testbed.start("cache Redis"), testbed.start("queue Redis")]);
      return secondsUntilRedisServes(trial);
    });
    const over = await readVitals(testbed);
    return [
      ...checkVisits({ visits: visiting.visits, before, meanwhile, maxRatio: 1.5 }),
      atMost("from Redis's return until it served again", seconds, 3, "s"),
      ...checkVitals({ begun, broken, over, transitions: TRANSITIONS }),
    ];
  },
};
