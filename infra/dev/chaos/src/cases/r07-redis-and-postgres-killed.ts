import { setTimeout as delay } from "node:timers/promises";
import { none } from "../check-result.ts";
import { checkVitals, readVitals } from "../evidence/vitals.ts";
import type { FaultCase } from "../fault-case.ts";
import { crash, stopPostgresImmediately } from "../injectors/crash.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { checkVisits } from "../load/check-visits.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { runLoad } from "../load/load.ts";
import { visitFor, visitWhile } from "../load/visiting.ts";
import { visitFailures, visitRequest } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";

const AWAY_S = 60;
/** Redis and Postgres go, and come back. */
const TRANSITIONS = 4;

export const redisAndPostgresKilled: FaultCase = {
  id: "R7",
  title: "Redis and Postgres killed",
  mustHold:
    "L1 links 0 failed until entries age out (documented, ≥ 10 min); the rest 503 + Retry-After ≤ 100 ms",
  done: "1,000 links in the memory of both replicas are visited 500 times a second, for 15 s as a baseline, then while both Redis and Postgres are killed and stay away for 60 s; other links 20 times a second meanwhile. That entries serve for 50 minutes where nobody can be asked is tried by the service's own tests, with a clock that is moved.",
  withinMs: 4 * 60_000,
  async run(trial) {
    const { testbed, signal, say } = trial;
    const { url: origin, databaseUrl } = testbed;
    const visiting = { visits: await makeWarmLinks(trial, 1_000), perSecond: 500 };
    const cold = await insertLinks(databaseUrl, newCodes(20 * AWAY_S));
    const requests = cold.map(visitRequest);
    const begun = await readVitals(testbed);
    const before = await visitFor(trial, visiting, 15);
    const broken = await readVitals(testbed);

    say("visiting them without Redis and Postgres");
    const [meanwhile, refused] = await visitWhile(trial, visiting, async () => {
      await Promise.all([
        crash(testbed, "cache Redis"),
        crash(testbed, "queue Redis"),
        stopPostgresImmediately(testbed),
      ]);
      const [exchanges] = await Promise.all([
        runLoad({ origin, perSecond: 20, requests, repeats: false }, signal),
        delay(AWAY_S * 1_000, undefined, { signal }),
      ]);
      await Promise.all([
        testbed.start("cache Redis"),
        testbed.start("queue Redis"),
        testbed.start("Postgres"),
      ]);
      await delay(3_000, undefined, { signal });
      return exchanges;
    });
    const over = await readVitals(testbed);
    const opened = await runLoad({ origin, perSecond: 200, requests, repeats: false }, signal);
    return [
      ...checkVisits({ visits: visiting.visits, before, meanwhile, maxRatio: null }),
      ...checkRefusals("visits of other links", refused, 100),
      none("of these not opened 3 s after the return", visitFailures(cold, opened)),
      ...checkVitals({ begun, broken, over, transitions: TRANSITIONS }),
    ];
  },
};
