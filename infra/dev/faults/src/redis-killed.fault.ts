import { expect, it } from "vitest";
import { count, createLink, insertLinks } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { insertWarmLinks, untilRedisServes, visitAll, visitWhile } from "./visits.ts";

const testbed = await startTestbed();
const { url, databaseUrl, redirects, whileKilled } = testbed;

it("visitors of a cached link get 302 while Redis is killed, down and started", async () => {
  const links = await insertWarmLinks(testbed, 100);

  const results = await visitWhile(url, links, async (round) => {
    await whileKilled(["cache Redis", "queue Redis"], async () => {
      for (let rounds = 0; rounds < 10; rounds++) await round();
    });
    await round();
  });

  expect(results).toEqual(["302"]);
});

it("visitors of links that only Postgres has get 302 without Redis, over at most ten connections of a redirect", async () => {
  // Each redirect looks up at most 500 codes per second.
  const links = await insertLinks(databaseUrl, 200);

  await whileKilled(["cache Redis", "queue Redis"], async () => {
    expect(await visitAll(url, links)).toEqual(["302"]);
    const connections = await count(
      databaseUrl,
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'tapthru-redirect'",
    );
    expect(connections).toBeLessThanOrEqual(2 * 10);
  });
});

it("links are created without Redis, and both redirects serve them", async () => {
  await whileKilled(["cache Redis", "queue Redis"], async () => {
    const link = await createLink(url);
    for (const origin of redirects) expect(await visitAll(origin, [link])).toEqual(["302"]);
  });
});

it("redirects use Redis again once it is back", async () => {
  await whileKilled(["cache Redis"], async () => {});
  await untilRedisServes(testbed);
});
