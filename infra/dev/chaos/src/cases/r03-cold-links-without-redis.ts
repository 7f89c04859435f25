import { atMost, none, observed } from "../check-result.ts";
import { countConnections, countSettledLookups } from "../evidence/postgres-activity.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase } from "../fault-case.ts";
import { crash } from "../injectors/crash.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { percentileMs } from "../load/latency.ts";
import { checkVisits } from "../load/visits/check-visits.ts";
import { visitFor, visitOnce, visitWhile } from "../load/visits/visit-load.ts";
import { visitFailures } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";

const COLD_LINKS = 10_000;
/** Each replica has 10 connections. */
const MAX_CONNECTIONS = 2 * 10;

export const coldLinksWithoutRedis: FaultCase = {
  id: "R3",
  title: "Cold links, Redis unavailable",
  expected: "0 failed; DB queries ≤ distinct codes + 1 %; pool never above its limit; p99 ≤ 50 ms",
  procedure:
    "Both Redis servers are killed with SIGKILL. Then 10,000 links that are only in Postgres are visited once each through nginx, 200 per second, in addition to 300 visits per second of 1,000 links in memory.",
  timeoutMs: 5 * 60_000,
  async run(trial) {
    const { testbed, log } = trial;
    const { databaseUrl } = testbed;
    const visitLoad = { visits: await insertWarmLinks(trial, 1_000), perSecond: 300 };
    const before = await visitFor(trial, visitLoad, 10);
    const cold = await insertLinks(databaseUrl, newCodes(COLD_LINKS));
    await crash(testbed, "cache Redis", "queue Redis");
    const lookupsBefore = await countSettledLookups(trial);

    log(`opening ${COLD_LINKS} cold links without Redis`);
    const [during, [connections, opened]] = await visitWhile(trial, visitLoad, () =>
      sampleWhile(
        () => countConnections(databaseUrl, "redirect"),
        () => visitOnce(trial, cold, 200),
        500,
      ),
    );
    const lookups = (await countSettledLookups(trial)) - lookupsBefore;
    return [
      observed("visits of cold links", opened.length),
      none("failed visits of cold links", visitFailures(cold, opened)),
      atMost("99th percentile of visits of cold links", percentileMs(opened, 0.99), 50, "ms"),
      atMost("lookups in Postgres", lookups, COLD_LINKS * 1.01),
      atMost("maximum connections to Postgres", Math.max(...connections), MAX_CONNECTIONS),
      ...checkVisits({ visits: visitLoad.visits, before, during, maxRatio: null }),
    ];
  },
};
