import { withClient } from "@tapthru/postgres/with-client";
import { expect, it } from "vitest";
import { createLink, insertLinks, insertLinksInRedis, isRefused } from "./links.ts";
import { type ProcessName, startTestbed } from "./testbed.ts";
import { insertWarmLinks, repeatDuring, untilRedisServes, visitAll, visitWhile } from "./visits.ts";

type Work = () => Promise<void>;

/** For how long a redirect serves a link without both is a test of its resolver, with a clock of its own. */
const testbed = await startTestbed();
const { url, databaseUrl, cache, whileKilled, whileFrozen } = testbed;

const BOTH_REDIS: ProcessName[] = ["cache Redis", "queue Redis"];

/** Each command takes up to 200 ms: a redirect waits 50 ms. */
async function whileRedisIsSlow(work: Work): Promise<void> {
  await repeatDuring(() => cache.client("PAUSE", 200), work);
}

async function whileLocked(work: Work): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query("BEGIN; LOCK TABLE links");
    await work().finally(() => client.query("ROLLBACK"));
  });
}

it.each<[string, (work: Work) => Promise<unknown>, inRedis: string, inPostgres: string, creates: boolean | null]>([
  ["both Redis servers are killed", (work) => whileKilled(BOTH_REDIS, work), "302", "302", true],
  ["Redis is frozen", (work) => whileFrozen("cache Redis", work), "302", "302", null],
  ["Redis is slow", whileRedisIsSlow, "302", "302", null],
  ["Postgres is killed", (work) => whileKilled(["Postgres"], work), "302", "503", false],
  ["Postgres is frozen", (work) => whileFrozen("Postgres", work), "302", "503", false],
  ["the table of links is locked", whileLocked, "302", "503", false],
  ["Redis and Postgres are killed", (work) => whileKilled([...BOTH_REDIS, "Postgres"], work), "503", "503", false],
])(
  "while %s, links in memory open, others and creates as far as they can, and all by themselves afterwards",
  async (_fault, during, ofRedis, ofPostgres, creates) => {
    const inMemory = await insertWarmLinks(testbed, 100);
    const inRedis = await insertLinksInRedis(databaseUrl, 50);
    const inPostgres = await insertLinks(databaseUrl, 50);
    const results = await visitWhile(url, inMemory, async (round) => {
      await during(async () => {
        expect(await visitAll(url, inRedis)).toEqual([ofRedis]);
        expect(await visitAll(url, inPostgres)).toEqual([ofPostgres]);
        // More than there are connections.
        const refusals = Array.from({ length: creates === null ? 0 : 100 }, () => isRefused(url));
        expect(await Promise.all(refusals)).not.toContain(creates);
        await round();
      });
      await expect.poll(() => visitAll(url, [...inRedis, ...inPostgres])).toEqual(["302"]);
      await expect.poll(() => createLink(url)).toBeDefined();
    });
    expect(results).toEqual(["302"]);
    await untilRedisServes(testbed);
  },
);

it("redirects stay ready without Redis and Postgres; an api and a worker that start meanwhile are ready once both are back", async () => {
  let starting: Promise<void> | undefined;
  await testbed.kill("api-1", "worker-1");
  await whileKilled([...BOTH_REDIS, "Postgres"], async () => {
    starting = testbed.start("api-1", "worker-1");
    await expect.poll(() => testbed.readiness("api-1")).not.toBe("ready");
    for (const name of ["redirect-1", "redirect-2"] as const) expect(await testbed.readiness(name)).toBe("ready");
  });
  await starting;
  await expect.poll(() => createLink(url)).toBeDefined();
  await untilRedisServes(testbed);
});
