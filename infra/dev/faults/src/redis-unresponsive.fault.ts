import { describe, expect, it } from "vitest";
import { insertLinks, insertLinksInRedis } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { repeatDuring, untilRedisServes, visitAll, visitWhile, warm } from "./visits.ts";

type Work = () => Promise<void>;

const testbed = await startTestbed();
const { databaseUrl, cache, redirects, whileFrozen } = testbed;
const [origin = ""] = redirects;
const proxy = await testbed.startProxy("redirect-1", "REDIS_CACHE_URL");

/** No packet arrives, and no connection is refused. */
async function whileCutOff(work: Work): Promise<void> {
  proxy.hold();
  await work().finally(proxy.release);
}

/** Each command takes up to 200 ms: a redirect waits 50 ms. */
async function whileSlow(work: Work): Promise<void> {
  await repeatDuring(() => cache.client("PAUSE", 200), work);
}

describe.each<[string, (work: Work) => Promise<void>]>([
  ["frozen", (work) => whileFrozen("cache Redis", work)],
  ["cut off", whileCutOff],
  ["slow", whileSlow],
])("while Redis is %s", (_fault, during) => {
  it("visitors of cached links, and of links that only Postgres has, get 302", async () => {
    const links = await insertLinksInRedis(databaseUrl, 50);
    await warm([origin], links);

    const results = await visitWhile(origin, links, async (round) => {
      await during(async () => {
        const cold = await insertLinks(databaseUrl, 100);
        expect(await visitAll(origin, cold)).toEqual(["302"]);
        await round();
      });
    });

    expect(results).toEqual(["302"]);
  });

  it("a redirect stops waiting for it, and uses it again afterwards", async () => {
    await during(async () => {
      const isUsed = async () => {
        await visitAll(origin, await insertLinks(databaseUrl, 1));
        return testbed.metric("redirect-1", "tapthru_redis_up", 'redis="cache"');
      };
      await expect.poll(isUsed).toBe(0);
    });
    await untilRedisServes(testbed);
  });
});
