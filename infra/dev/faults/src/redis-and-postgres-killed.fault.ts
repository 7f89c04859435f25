import { expect, it } from "vitest";
import { createLink, insertLinks, isRefused } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { insertWarmLinks, untilRedisServes, visitAll, visitWhile } from "./visits.ts";

/** For how long a redirect serves a link without both is a test of its resolver, with a clock of its own. */
const testbed = await startTestbed();
const { url, databaseUrl, whileKilled } = testbed;

it("links in memory get 302 without Redis and Postgres, others 503 with Retry-After until both are back", async () => {
  const inMemory = await insertWarmLinks(testbed, 100);
  const others = await insertLinks(databaseUrl, 100);

  const results = await visitWhile(url, inMemory, async (round) => {
    await whileKilled(["cache Redis", "queue Redis", "Postgres"], async () => {
      expect(await visitAll(url, others)).toEqual(["503"]);
      expect(await isRefused(url)).toBe(true);
      for (let rounds = 0; rounds < 5; rounds++) await round();
    });
    await expect.poll(() => visitAll(url, others)).toEqual(["302"]);
  });

  expect(results).toEqual(["302"]);
});

it("redirects stay ready, an api and a worker that start meanwhile are ready once both are back, and all is used again", async () => {
  let starting: Promise<void> | undefined;
  await testbed.kill("api-1", "worker-1");
  await whileKilled(["cache Redis", "queue Redis", "Postgres"], async () => {
    starting = testbed.start("api-1", "worker-1");
    await expect.poll(() => testbed.readiness("api-1")).not.toBe("ready");
    for (const name of ["redirect-1", "redirect-2"] as const) expect(await testbed.readiness(name)).toBe("ready");
  });
  await starting;
  await expect.poll(() => createLink(url)).toBeDefined();
  await untilRedisServes(testbed);
});
