import { expect, it } from "vitest";
import { count, createLink, deleteLinks, insertLinks, insertLinksInRedis, isRefused } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { insertWarmLinks, visitAll, visitWhile } from "./visits.ts";

const testbed = await startTestbed();
const { url, databaseUrl, whileKilled } = testbed;

it("visitors of links in memory or Redis get 302 while Postgres is down, others 503 until it is back", async () => {
  const inMemory = await insertWarmLinks(testbed, 100);
  const inRedis = await insertLinksInRedis(databaseUrl, 100);
  const inPostgres = await insertLinks(databaseUrl, 100);

  const results = await visitWhile(url, inMemory, async (round) => {
    await whileKilled(["Postgres"], async () => {
      expect(await visitAll(url, inRedis)).toEqual(["302"]);
      expect(await visitAll(url, inPostgres)).toEqual(["503"]);
      await round();
    });
    await expect.poll(() => visitAll(url, inPostgres)).toEqual(["302"]);
  });

  expect(results).toEqual(["302"]);
});

it("creates are refused while Postgres is down, and work by themselves afterwards", async () => {
  const countLinks = () => count(databaseUrl, "SELECT count(*)::int AS count FROM links");
  const before = await countLinks();

  await whileKilled(["Postgres"], async () => {
    for (let creates = 0; creates < 10; creates++) expect(await isRefused(url)).toBe(true);
  });

  expect(await countLinks()).toBe(before);
  await expect.poll(() => createLink(url)).toBeDefined();
});

it("redirects that start without Postgres serve links of Redis, and 410 for deleted ones", async () => {
  const inRedis = await insertLinksInRedis(databaseUrl, 100);
  const deleted = await insertLinksInRedis(databaseUrl, 20);
  await deleteLinks(databaseUrl, deleted);
  const inPostgres = await insertLinks(databaseUrl, 20);

  await whileKilled(["Postgres"], async () => {
    await whileKilled(["redirect-1", "redirect-2"], async () => {});
    expect(await visitAll(url, inRedis)).toEqual(["302"]);
    expect(await visitAll(url, deleted)).toEqual(["410"]);
    expect(await visitAll(url, inPostgres)).toEqual(["503"]);
  });

  await expect.poll(() => visitAll(url, inPostgres)).toEqual(["302"]);
});
