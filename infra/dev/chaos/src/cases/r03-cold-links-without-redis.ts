import { atMost, none, observed } from "../check-result.ts";
import { countAllLookUps, countConnections } from "../evidence/postgres-activity.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { checkVisits } from "../load/check-visits.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { percentileMs } from "../load/latency.ts";
import { runLoad } from "../load/load.ts";
import { visitFor, visitWhile } from "../load/visiting.ts";
import { visitFailures, visitRequest } from "../load/visits.ts";
import { makeWarmLinks } from "../load/warm-links.ts";

const COLD_LINKS = 10_000;
/** Of both replicas. */
const CONNECTIONS = 2 * 10;

export const coldLinksWithoutRedis: FaultCase = {
  id: "R3",
  title: "Cold links, Redis away",
  mustHold: "0 failed; DB queries ≤ distinct codes + 1 %; pool never above its limit; p99 ≤ 50 ms",
  done: "Both Redis are killed with -9. Then 10,000 links that only Postgres knows are visited once each through nginx, 200 a second, beside 300 visits a second of 1,000 links in memory.",
  withinMs: 5 * 60_000,
  async run(trial) {
    const { testbed, signal, say } = trial;
    const { databaseUrl, url: origin } = testbed;
    const visiting = { visits: await makeWarmLinks(trial, 1_000), perSecond: 300 };
    const before = await visitFor(trial, visiting, 10);
    const cold = await insertLinks(databaseUrl, newCodes(COLD_LINKS));
    const requests = cold.map(visitRequest);
    await Promise.all([crash(testbed, "cache Redis"), crash(testbed, "queue Redis")]);
    const lookUpsBefore = await countAllLookUps(databaseUrl, signal);

    say(`opening ${COLD_LINKS} cold links without Redis`);
    const [meanwhile, [connections, opened]] = await visitWhile(trial, visiting, () =>
      sampleWhile(
        () => countConnections(databaseUrl, "redirect"),
        () => runLoad({ origin, perSecond: 200, requests, repeats: false }, signal),
        500,
      ),
    );
    const lookUps = (await countAllLookUps(databaseUrl, signal)) - lookUpsBefore;
    return [
      observed("cold links opened", opened.length),
      none("cold links that failed", visitFailures(cold, opened)),
      atMost("99th percentile of opening them", percentileMs(opened, 0.99), 50, "ms"),
      atMost("look-ups in Postgres", lookUps, COLD_LINKS * 1.01),
      atMost("most connections to Postgres", Math.max(...connections), CONNECTIONS),
      ...checkVisits({ visits: visiting.visits, before, meanwhile, maxRatio: null }),
    ];
  },
};
