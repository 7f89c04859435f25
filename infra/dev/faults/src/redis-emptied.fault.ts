import { listLinks } from "@tapthru/proto/link-lists";
import { createSession } from "@tapthru/stack/testing/callers";
import { expect, it } from "vitest";
import { count, createLink, newUrl, productPage } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { insertWarmLinks, visitWhile } from "./visits.ts";

/** That concurrent visitors of a link cause one lookup is a test of the redirect's resolver. */
const testbed = await startTestbed();
const { url, publicBaseUrl, databaseUrl, cache, queue } = testbed;

it("visitors get 302 while Redis is emptied and a redirect starts with an empty memory", async () => {
  const links = await insertWarmLinks(testbed, 200);

  const results = await visitWhile(url, links, async (round) => {
    await Promise.all([cache.flushall(), queue.flushall()]);
    await round();
    await testbed.end("redirect-2");
    await cache.flushall();
    await testbed.start("redirect-2");
    await round();
  });

  expect(results).toEqual(["302"]);
});

it("waiting jobs and all schedules exist again by themselves", async () => {
  const countSchedules = async () => {
    const keys = await queue.keys("*:repeat");
    const counts = await Promise.all(keys.map((key) => queue.zcard(key)));
    return counts.reduce((sum, one) => sum + one, 0);
  };
  await expect.poll(countSchedules).toBeGreaterThan(5);
  const schedules = await countSchedules();
  const pages = [1, 2, 3].map(productPage);

  await testbed.end("worker-1");
  for (const page of pages) await createLink(url, newUrl(page));
  await queue.flushall();
  await testbed.start("worker-1");

  await expect.poll(countSchedules).toBeGreaterThanOrEqual(schedules);
  const countFetched = () =>
    count(databaseUrl, "SELECT count(fetched_at)::int AS count FROM products WHERE canonical_url = ANY($1)", [pages]);
  await expect.poll(countFetched).toBe(pages.length);
});

it("signed-in users get 401 and can sign in again", async () => {
  const list = async (cookie: string) => (await fetch(publicBaseUrl + listLinks.path, { headers: { cookie } })).status;
  const signIn = () => createSession(publicBaseUrl);
  const cookie = await signIn();
  expect(await list(cookie)).toBe(200);

  await Promise.all([cache.flushall(), queue.flushall()]);

  expect(await list(cookie)).toBe(401);
  expect(await list(await signIn())).toBe(200);
});
