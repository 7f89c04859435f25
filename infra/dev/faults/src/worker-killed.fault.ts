import { expect, it } from "vitest";
import { count, createLink, insertLinks, newUrl, productPage, query, type TestLink } from "./links.ts";
import { startTestbed } from "./testbed.ts";
import { visitAll } from "./visits.ts";

const testbed = await startTestbed();
const { url, databaseUrl, queue, amazon } = testbed;

const countRequests = (page: string) =>
  amazon.requests.filter(({ host, url }) => `https://${host}${url}` === page).length;
const readProduct = (page: string) =>
  query(
    databaseUrl,
    "SELECT revision, attempts, fetched_at IS NOT NULL AS fetched FROM products WHERE canonical_url = $1",
    [page],
  );
const FETCHED_ONCE = [{ revision: 1, attempts: 0, fetched: true }];

const proxy = await testbed.startProxy("worker-1", "EGRESS_STAND_IN_URL");

it("a page is stored once although the worker is killed three times while it reads it", async () => {
  const page = productPage(1);
  proxy.holdResponses();
  await createLink(url, newUrl(page));
  for (let kills = 1; kills <= 3; kills++) {
    await expect.poll(() => countRequests(page)).toBe(kills);
    await testbed.kill("worker-1");
    if (kills === 3) proxy.release();
    await testbed.start("worker-1");
  }
  await expect.poll(() => readProduct(page)).toEqual(FETCHED_ONCE);
});

it("the job of a frozen worker is done by another one, and stored once although the first one continues", async () => {
  const page = productPage(2);
  const finished = () => testbed.metric("worker-1", "tapthru_job_duration_seconds_count", '"scrape-metadata"');
  const before = await finished();
  proxy.holdResponses();
  await createLink(url, newUrl(page));
  await expect.poll(() => countRequests(page)).toBe(1);
  await testbed.whileFrozen("worker-1", async () => {
    await testbed.start("worker-2");
    await expect.poll(() => readProduct(page)).toEqual(FETCHED_ONCE);
    proxy.release();
  });
  await expect.poll(finished).toBeGreaterThan(before);
  expect(await readProduct(page)).toEqual(FETCHED_ONCE);
  await testbed.end("worker-2");
});

it("a purge that is interrupted leaves no half-deleted link, and ends after a restart", async () => {
  const countExpired = () => count(databaseUrl, "SELECT count(*)::int AS count FROM links WHERE expires_at <= now()");
  await testbed.end("worker-1");
  const links = await insertLinks(databaseUrl, 5_000);
  await query(databaseUrl, "UPDATE links SET expires_at = now() WHERE short_code = ANY($1)", [
    links.map(({ shortCode }) => shortCode),
  ]);
  await testbed.start("worker-1");
  await expect.poll(countExpired, { interval: 5 }).toBeLessThan(links.length);
  await testbed.kill("worker-1");
  expect(await countHalfDeleted(links)).toBe(0);
  await testbed.start("worker-1");
  await expect.poll(countExpired).toBe(0);
  expect(await countHalfDeleted(links)).toBe(0);
  expect(await visitAll(url, links.slice(0, 100))).toEqual(["410"]);
});

it("links are created while the queue Redis is full, and their pages are read once it has memory", async () => {
  const pages = Array.from({ length: 10 }, (_, index) => productPage(100 + index));
  await queue.config("SET", "maxmemory", "1");
  const links = await Promise.all(pages.map((page) => createLink(url, newUrl(page))));
  expect(await visitAll(url, links)).toEqual(["302"]);
  await queue.config("SET", "maxmemory", "0");
  for (const page of pages) await expect.poll(() => readProduct(page)).toEqual(FETCHED_ONCE);
});

it("a worker is not ready while its Redis could evict jobs", async () => {
  await queue.config("SET", "maxmemory-policy", "allkeys-lru");
  await expect.poll(() => testbed.readiness("worker-1")).toContain("allkeys-lru");
  await queue.config("SET", "maxmemory-policy", "noeviction");
  await expect.poll(() => testbed.readiness("worker-1")).toBe("ready");
});

it("no job has failed", async () => {
  expect(await queue.keys("*:failed")).toEqual([]);
});

/** Links that are neither complete, nor retired and in the outbox. */
function countHalfDeleted(links: readonly TestLink[]): Promise<number> {
  return count(
    databaseUrl,
    `SELECT count(*)::int AS count FROM unnest($1::text[]) code
     WHERE (SELECT count(*) FROM links WHERE short_code = code)
         <> 1 - (SELECT count(*) FROM retired_codes WHERE short_code = code)
       OR (SELECT count(*) FROM retired_codes WHERE short_code = code)
         <> (SELECT count(*) FROM link_changes WHERE short_code = code)`,
    [links.map(({ shortCode }) => shortCode)],
  );
}
