import { readPriority } from "@tapthru/proto/jobs/catalogue";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addLinks, addPages, useDatabase } from "../../testing/test-database.ts";
import { useRedis } from "../../testing/test-redis.ts";
import { createQueuePageReads, createReadRanks, type QueuePageReads } from "./queue-attempts.ts";
import type { MetadataSource } from "./source.ts";

const database = await useDatabase();
const redis = await useRedis();
let queuePageReads: QueuePageReads;

beforeEach(async () => {
  const { db } = database;
  const metadataSource: MetadataSource = {
    name: "page",
    freshForMs: 1,
    keepForMs: null,
    read: async () => ({ kind: "nothing", outcome: "captcha" }),
  };
  queuePageReads = createQueuePageReads({ db, jobs: redis.jobs, metadataSource });
});

/** Adds pages with a link each. @returns the codes of the links */
async function addLinkedPages(name: string, count: number, owner?: string): Promise<string[]> {
  await addPages(database, name, count);
  const codes = Array.from({ length: count }, (_, index) => `${name}${index + 1}`);
  for (const page of codes) await addLinks(database, { name: `${page}-`, page });
  if (owner !== undefined) {
    await database.rows(
      `WITH owner AS (
         INSERT INTO users (username, email, firebase_uid) VALUES ($1, $1 || '@t.example', $1)
         RETURNING id
       )
       UPDATE links SET user_id = owner.id, claim_hash = NULL, expires_at = NULL FROM owner
       WHERE canonical_url = ANY($2)`,
      [owner, codes],
    );
  }
  return codes.map((page) => `${page}-1`);
}

const queued = async () => (await redis.waiting("scrape-metadata")).map((payload) => Object(payload).canonicalUrl);

it("queues the pages of members' new links in turns between members, in the order of the links", async () => {
  const codes = [...(await addLinkedPages("ada", 3, "ada")), ...(await addLinkedPages("eve", 2, "eve"))];
  await queuePageReads(codes.slice(0, 2));
  await queuePageReads(codes.slice(2));
  expect(await queued()).toEqual(["ada1", "eve1", "ada2", "eve2", "ada3"]);
});

it("queues the page of a member's link that was changed since after those of new links", async () => {
  const codes = [...(await addLinkedPages("changed", 1, "ada")), ...(await addLinkedPages("new", 1, "eve"))];
  await database.rows("UPDATE links SET revision = 2 WHERE short_code = 'changed1-1'");
  await queuePageReads(codes);
  expect(await queued()).toEqual(["new1", "changed1"]);
});

it("moves a page ahead that a visitor's link had queued", async () => {
  const codes = await addLinkedPages("page", 1, "ada");
  const visitors = { requestId: null, priority: readPriority("anonymous", 0) };
  for (const canonicalUrl of ["other", "page1"])
    await redis.jobs.add("scrape-metadata", { canonicalUrl, attempt: 0 }, visitors);
  await queuePageReads(codes);
  expect(await queued()).toEqual(["page1", "other"]);
});

describe("the ranks of reads", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("starts again after ten minutes", () => {
    const rankOf = createReadRanks();
    expect([7, 7].map(rankOf)).toEqual([0, 1]);
    vi.advanceTimersByTime(10 * 60_000 - 1);
    expect(rankOf(7)).toBe(2);
    vi.advanceTimersByTime(1);
    expect(rankOf(7)).toBe(0);
  });
});
