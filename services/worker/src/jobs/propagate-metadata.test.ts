import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { relayBatch } from "../relay/relay-batch.ts";
import { addLinks, addPages, createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTestRedis, type TestRedis } from "../testing/test-redis.ts";
import { propagateMetadata } from "./propagate-metadata.ts";

const notAborted = new AbortController().signal;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  await addPages(database, "page");
  await database.rows("UPDATE products SET title = 'A lamp', revision = 1");
});

const propagate = (revision = 1, signal = notAborted) =>
  propagateMetadata({ db: database.db }, { canonicalUrl: "page1", revision }, { signal });

const addLinksToPage = (name: string, count = 1) =>
  addLinks(database, { name, count, page: "page1", withChange: false });

async function changes(): Promise<string[]> {
  const rows = await database.rows("SELECT short_code, revision FROM link_changes ORDER BY id");
  return rows.map((row) => `${row.short_code} ${row.revision}`);
}

it("changes every live link of the page once, in batches, and no other", async () => {
  await addLinksToPage("a", 1_201);
  await addPages(database, "other");
  await addLinks(database, { name: "b", page: "other1", withChange: false });
  await propagate();
  await propagate();
  expect(await changes()).toHaveLength(1_201);
  expect(new Set(await changes()).size).toBe(1_201);
  expect((await changes())[0]).toBe("a1 2");
  expect(await database.rows("SELECT spread_revision FROM products WHERE revision = 1")).toEqual([
    { spread_revision: 1 },
  ]);
});

it("does not change links that are not live", async () => {
  await addLinksToPage("expired");
  await addLinksToPage("taken");
  await addLinksToPage("kept");
  await database.rows("UPDATE links SET expires_at = now() WHERE short_code = 'expired1'");
  await database.rows("UPDATE links SET taken_down_at = now() WHERE short_code = 'taken1'");
  await database.rows("UPDATE links SET expires_at = NULL WHERE short_code = 'kept1'");
  await propagate();
  expect(await changes()).toEqual(["kept1 2"]);
});

it("waits for a link that is being changed, and increments its new revision", async () => {
  await addLinksToPage("a", 3);
  const editor = await database.connect();
  await editor.query("BEGIN");
  await editor.query("UPDATE links SET nickname = 'x', revision = 2 WHERE short_code = 'a2'");
  const propagating = propagate();
  await vi.waitFor(async () => {
    expect(await database.rows("SELECT FROM pg_locks WHERE NOT granted")).not.toEqual([]);
  }, 10_000);
  await editor.query("COMMIT");
  await propagating;
  expect(await changes()).toEqual(["a1 2", "a2 3", "a3 2"]);
});

it("changes each link once when two jobs run concurrently", async () => {
  await addLinksToPage("a", 1_500);
  await Promise.all([propagate(), propagate()]);
  expect(await changes()).toHaveLength(1_500);
});

it("never replaces a newer revision", async () => {
  await addLinksToPage("a");
  await database.rows("UPDATE products SET revision = 3");
  await propagate(3);
  await propagate(2);
  expect(await changes()).toEqual(["a1 2"]);
  expect(await database.rows("SELECT spread_revision FROM products")).toEqual([{ spread_revision: 3 }]);
});

it("is not complete when it is aborted, and completes the next time", async () => {
  await addLinksToPage("a", 600);
  const stopping = new AbortController();
  let batches = 0;
  const db = new Proxy(database.db, {
    get(target, name) {
      if (name === "one" && ++batches === 2) stopping.abort(new Error("stopping"));
      return Reflect.get(target, name);
    },
  });
  const page = { canonicalUrl: "page1", revision: 1 };
  await expect(propagateMetadata({ db }, page, stopping)).rejects.toThrow("stopping");
  expect(await database.rows("SELECT FROM products WHERE spread_revision = 1")).toEqual([]);
  await propagate();
  expect(await changes()).toHaveLength(600);
});

it("reaches every redirect record through the relay", async () => {
  const redis: TestRedis = await createTestRedis();
  const deps = {
    db: database.db,
    redirectStore: redis.redirectStore,
    queuePagesOf: async () => {},
    logger: createTestLogger().logger,
  };
  await addLinksToPage("a", 700);
  await propagate();
  while ((await relayBatch(deps)) > 0);
  const codes = Array.from({ length: 700 }, (_, i) => `a${i + 1}`);
  const records = await Promise.all(codes.map((code) => redis.redirectStore.get(code)));
  for (const record of records) expect(record).toMatchObject({ revision: 2, title: "A lamp" });
  await redis.remove();
});
