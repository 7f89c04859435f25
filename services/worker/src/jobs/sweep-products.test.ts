import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { beforeEach, describe, expect, it } from "vitest";
import { addLinks, addPages, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { useRedis } from "../testing/test-redis.ts";
import { testSource } from "../testing/test-source.ts";
import { addUser } from "../testing/test-webhooks.ts";
import { queuePagesOf } from "./scrape-metadata/queue-attempts.ts";
import type { MetadataSource } from "./scrape-metadata/source.ts";
import { sweepProducts } from "./sweep-products.ts";

const database = await useDatabase();
const { rows } = database;
const redis = await useRedis();

const { logger } = createTestLogger();
const deps = (metadataSource: MetadataSource | null = testSource()) => ({
  db: database.db,
  jobs: redis.jobs,
  logger,
  metadataSource,
});
const sweep = (source?: MetadataSource | null) => workNow(deps(source), sweepProducts);

async function addLinkedPage(page: string, expiresIn: string | null = "7 days"): Promise<void> {
  await addPages(database, page);
  await addLinks(database, { name: `${page}-`, page: `${page}1`, expiresIn });
}

const queued = () => redis.waiting("scrape-metadata");

describe("a page that is due", () => {
  it("queues a page once, regardless of the number of sweeps and links", async () => {
    await addLinkedPage("page");
    await addLinks(database, { name: "more", count: 20, page: "page1" });
    await sweep();
    await sweep();
    expect(await queued()).toEqual([{ canonicalUrl: "page1", attempt: 0 }]);
  });

  it("queues the page of a member's link before pages of links without an owner", async () => {
    for (const name of ["first", "second", "member"]) await addLinkedPage(name);
    await rows("UPDATE links SET user_id = $1, expires_at = NULL WHERE short_code = 'member-1'", [
      await addUser(database),
    ]);
    await sweep();
    expect(await queued()).toEqual(
      ["member1", "first1", "second1"].map((canonicalUrl) => ({ canonicalUrl, attempt: 0 })),
    );
    await redis.flush();
    await queuePagesOf(deps(), ["first-1", "member-1"]);
    expect(await queued()).toEqual(["member1", "first1"].map((canonicalUrl) => ({ canonicalUrl, attempt: 0 })));
  });

  it("queues no page if no source is configured", async () => {
    await addLinkedPage("page");
    await sweep(null);
    expect(await queued()).toEqual([]);
  });
});

describe("a page without a live link", () => {
  beforeEach(async () => {
    await addPages(database, "unlinked");
    await addLinkedPage("expired", "-1 second");
    await addLinkedPage("taken");
    await rows("UPDATE links SET taken_down_at = now() WHERE short_code = 'taken-1'");
    await sweep();
  });

  it("neither queues the page nor checks it again for a day", async () => {
    expect(await queued()).toEqual([]);
    const due = "SELECT FROM products WHERE next_attempt_at > now() + interval '23 hours'";
    expect(await rows(due)).toHaveLength(3);
  });

  it("queues the page as soon as there is a new link", async () => {
    await addLinks(database, { name: "new", page: "unlinked1" });
    await queuePagesOf(deps(), ["new1"]);
    expect(await queued()).toEqual([{ canonicalUrl: "unlinked1", attempt: 0 }]);
    await redis.flush();
    await sweep();
    expect(await queued()).toEqual([{ canonicalUrl: "unlinked1", attempt: 0 }]);
  });
});

it("does not queue a page before its retry delay has ended", async () => {
  await addLinkedPage("page");
  await rows("UPDATE products SET next_attempt_at = now() + interval '1 hour', last_outcome = 'captcha'");
  await queuePagesOf(deps(), ["page-1"]);
  expect(await queued()).toEqual([]);
});

it("clears expired metadata, which changes links, and that of no other page", async () => {
  await addPages(database, "page", 3);
  await rows(
    `UPDATE products SET title = 'A lamp', fetched_at = now(), product_id = canonical_url,
       keep_until = CASE canonical_url
         WHEN 'page1' THEN now() WHEN 'page2' THEN now() + interval '1 minute' END`,
  );
  await sweep(null);
  expect(
    await rows(
      `SELECT title, fetched_at IS NOT NULL AS read, keep_until IS NULL AS unlimited
       FROM products ORDER BY canonical_url`,
    ),
  ).toEqual([
    { title: null, read: false, unlimited: true },
    { title: "A lamp", read: true, unlimited: false },
    { title: "A lamp", read: true, unlimited: true },
  ]);
  expect(await rows("SELECT kind, payload FROM bulk_updates")).toEqual([
    { kind: "product-state", payload: { canonicalUrl: "page1" } },
  ]);
});

it("queues some hundreds of pages at a time, and the rest when these were read", async () => {
  await addPages(database, "page", 1_100);
  await rows(
    `INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url)
     SELECT 'c' || canonical_url, 'x', 'https://amazon.com/', '?product_id=x', canonical_url
     FROM products`,
  );
  for (const count of [500, 500, 100]) {
    await sweep();
    await sweep();
    const pages = await queued();
    expect(pages).toHaveLength(count);
    await redis.flush();
    const read = pages.map((page) => Object(page).canonicalUrl);
    await rows("UPDATE products SET fetched_at = now(), next_attempt_at = NULL WHERE canonical_url = ANY($1)", [read]);
  }
});
