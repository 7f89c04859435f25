import { readPriority } from "@tapthru/proto/jobs/catalogue";
import { expect, it } from "vitest";
import { addPages, useDatabase } from "../../testing/test-database.ts";
import { useRedis } from "../../testing/test-redis.ts";
import { testSource } from "../../testing/test-source.ts";
import { addUser } from "../../testing/test-webhooks.ts";
import { queuePagesOf } from "./queue-attempts.ts";

const database = await useDatabase();
const redis = await useRedis();
const queue = (codes: readonly string[]) =>
  queuePagesOf({ db: database.db, jobs: redis.jobs, metadataSource: testSource() }, codes);

/** Adds pages with a link each of a new member. @returns the codes of the links */
async function addLinkedPages(name: string, count: number): Promise<string[]> {
  await addPages(database, name, count);
  const pages = Array.from({ length: count }, (_, index) => `${name}${index + 1}`);
  await database.rows(
    `INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id)
     SELECT page || '-1', page, 'https://amazon.com/', '?product_id=x', page, $1 FROM unnest($2::text[]) page`,
    [await addUser(database), pages],
  );
  return pages.map((page) => `${page}-1`);
}

const queued = async () => (await redis.waiting("scrape-metadata")).map((payload) => Object(payload).canonicalUrl);

it("queues the pages of members' new links in turns between members, in the order of the links", async () => {
  const codes = [...(await addLinkedPages("ada", 3)), ...(await addLinkedPages("eve", 2))];
  await queue(codes);
  expect(await queued()).toEqual(["ada1", "eve1", "ada2", "eve2", "ada3"]);
});

it("queues the page of a member's link that was changed since after those of new links", async () => {
  const codes = [...(await addLinkedPages("changed", 1)), ...(await addLinkedPages("new", 1))];
  await database.rows("UPDATE links SET revision = 2 WHERE short_code = 'changed1-1'");
  await queue(codes);
  expect(await queued()).toEqual(["new1", "changed1"]);
});

it("a member's thousands of new links fill no queue, and delay the first one of another by few reads", async () => {
  const codes = await addLinkedPages("flood", 3_000);
  for (let first = 0; first < codes.length; first += 100) await queue(codes.slice(first, first + 100));
  expect((await queued()).length).toBeLessThan(1_500);
  await queue(await addLinkedPages("eve", 1));
  expect((await queued()).indexOf("eve1")).toBe(30);
});

it("moves a page ahead that a visitor's link had queued", async () => {
  const codes = await addLinkedPages("page", 1);
  const visitors = { requestId: null, priority: readPriority("anonymous", 0) };
  for (const canonicalUrl of ["other", "page1"])
    await redis.jobs.add("scrape-metadata", { canonicalUrl, attempt: 0 }, visitors);
  await queue(codes);
  expect(await queued()).toEqual(["page1", "other"]);
});
