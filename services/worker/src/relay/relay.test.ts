import { insertLinkChanges } from "@tapthru/core/outbox";
import type { Component } from "@tapthru/core/platform/lifecycle";
import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { createTestLogger, type LogLine } from "@tapthru/core/platform/testing/test-logger";
import { unreadableValues } from "@tapthru/core/platform/unreadable";
import type { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { registerMetrics } from "../metrics.ts";
import { addLinks, addPages, makeFail, makeUnreadable, useDatabase } from "../testing/test-database.ts";
import { useRedis } from "../testing/test-redis.ts";
import { createRelay, RELAY_BATCH, type RelayApp, relayBatch } from "./relay.ts";

const database = await useDatabase();
const { rows } = database;
const redis = await useRedis();
const log = createTestLogger();
const { db } = database;
const deps: RelayApp = { db, redirectStore: redis.redirectStore, queuePagesOf: async () => {}, logger: log.logger };

const record = (shortCode: string) => redis.redirectStore.get(shortCode);

const relayWith = (putMany: typeof redis.redirectStore.putMany) =>
  relayBatch({ ...deps, redirectStore: { ...redis.redirectStore, putMany } });

async function pending(): Promise<unknown[]> {
  const found = await rows("SELECT short_code FROM link_changes WHERE projected_at IS NULL ORDER BY id");
  return found.map((row) => row.short_code);
}

const change = (shortCode: string) =>
  rows(
    `WITH link AS (
       UPDATE links SET revision = revision + 1, title = 'Title ' || (revision + 1)
       WHERE short_code = $1 RETURNING short_code, revision
     )
     ${insertLinkChanges.sql}`,
    [shortCode],
  );

it("writes the record of a new link to Redis, with the metadata of its page", async () => {
  await rows(
    `INSERT INTO products (canonical_url, marketplace, product_id, title, image_url)
     VALUES ('https://www.amazon.com/dp/B08N5WRWNW', 'com', 'B08N5WRWNW', 'A lamp', 'https://i')`,
  );
  await addLinks(database, { name: "new", page: "https://www.amazon.com/dp/B08N5WRWNW" });
  await relayBatch(deps);
  expect(await record("new1")).toMatchObject({
    state: "live",
    revision: 1,
    webUrl: "https://amazon.com/dp/B08N5WRWNW",
    title: "A lamp",
    imageUrl: "https://i",
  });
  expect(await pending()).toEqual([]);
});

it.each(["deleted", "expired"])("leaves a tombstone for a link that is %s", async (reason) => {
  await addLinks(database, { name: "new" });
  await relayBatch(deps);
  await rows("DELETE FROM links");
  await rows("INSERT INTO retired_codes VALUES ('new1', $1, 2)", [reason]);
  await rows("INSERT INTO link_changes (short_code, revision) VALUES ('new1', 2)");
  await relayBatch(deps);
  expect(await record("new1")).toEqual({ state: "gone", revision: 2, reason });
});

describe("Redis is marked as up to date", () => {
  const mark = () => redis.redirectStore.timeSinceUpToDate();

  it("marks Redis as up to date after the last rows were projected, and when none were pending", async () => {
    await addLinks(database, { name: "new" });
    expect(await mark()).toBeNull();
    await relayBatch(deps);
    expect(await mark()).not.toBeNull();
    await redis.flush();
    await relayBatch(deps);
    expect(await mark()).not.toBeNull();
  });

  it("does not mark Redis while rows may be left", async () => {
    await addLinks(database, { name: "new", count: RELAY_BATCH });
    await relayBatch(deps);
    expect(await mark()).toBeNull();
  });

  it("does not mark Redis when the rows could not be projected", async () => {
    await addLinks(database, { name: "new" });
    await expect(relayWith(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    expect(await mark()).toBeNull();
  });
});

it("does not miss a row whose transaction ends after that of a later row", async () => {
  const slow = await database.connect();
  await slow.query("BEGIN");
  await slow.query("INSERT INTO link_changes (short_code, revision) VALUES ('slow1', 1)");
  await addLinks(database, { name: "quick" });
  await relayBatch(deps);
  await slow.query("COMMIT");
  expect(await pending()).toEqual(["slow1"]);
  await relayBatch(deps);
  expect(await pending()).toEqual([]);
});

it("a batch does nothing while another relay is active, and takes over when that one fails", async () => {
  await addLinks(database, { name: "new" });
  const [started, crash] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = relayWith(async (records) => {
    await redis.redirectStore.putMany(records);
    started.resolve();
    await crash.promise;
  });
  await started.promise;
  const putMany = vi.fn(redis.redirectStore.putMany);
  expect(await relayWith(putMany)).toBe(0);
  expect(putMany).not.toHaveBeenCalled();
  crash.reject(new Error("killed between Redis and COMMIT"));
  await expect(other).rejects.toThrow("killed");
  expect(await pending()).toEqual(["new1"]);
  await relayWith(putMany);
  expect(putMany).toHaveBeenCalledTimes(1);
  expect(await pending()).toEqual([]);
});

it("queues only the pages of committed changes", async () => {
  await addLinks(database, { name: "new", count: 2 });
  await change("new1");
  const queuePagesOf = vi.fn(async () => expect(await pending()).toEqual([]));
  await relayBatch({ ...deps, queuePagesOf });
  expect(queuePagesOf.mock.calls).toEqual([[["new1", "new2"]]]);
  await relayBatch({ ...deps, queuePagesOf });
  expect(queuePagesOf).toHaveBeenCalledTimes(1);
});

it("projects the other links if a record was written by a newer release, and deletes its stale record", async () => {
  const unreadableRows = async () =>
    (await unreadableValues.get()).values.find(({ labels }) => labels.source === "postgres")?.value ?? 0;
  await addLinks(database, { name: "newer", count: 2 });
  await relayBatch(deps);
  await makeUnreadable(database, "newer1");
  await Promise.all([change("newer1"), change("newer2")]);
  const before = await unreadableRows();
  await relayBatch(deps);
  expect(await pending()).toEqual([]);
  expect(await record("newer2")).toMatchObject({ revision: 2 });
  expect(await record("newer1")).toBeNull();
  expect(log.lines.at(-1)).toMatchObject({
    event: "unreadable_row",
    shortCode: "newer1",
    issues: [expect.stringContaining("opening: ")],
  });
  expect(await unreadableRows()).toBe(before + 1);
});

it("projects what an owner decided, and overwrites it when they are deleted", async () => {
  await rows("INSERT INTO users (id, username, email, firebase_uid, displayed_name) VALUES (7, 'u', 'u', 'u', 'Ada')");
  await relayBatch(deps);
  expect(await record("~7")).toMatchObject({ state: "owner", creatorName: "Ada" });
  await rows("DELETE FROM users WHERE id = 7; INSERT INTO link_changes (short_code, revision) VALUES ('~7', 2)");
  await relayBatch(deps);
  expect(await record("~7")).toMatchObject({ state: "gone", reason: "deleted" });
});

const WAIT_OPTIONS = { timeout: 60_000, interval: 20 };

let lines: LogLine[];
let registry: Registry;
let put: string[];
const running: Component[] = [];

beforeEach(() => {
  put = [];
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((relay) => relay.stop?.()));
});

async function run(queuePagesOf: RelayApp["queuePagesOf"] = async () => {}): Promise<void> {
  const log = createTestLogger();
  lines = log.lines;
  registry = createMetrics();
  registerMetrics(registry, { db: database.db, logger: log.logger });
  const relay = createRelay({
    db: database.db,
    redirectStore: {
      ...redis.redirectStore,
      async putMany(records: readonly CodeRecord[]) {
        await redis.redirectStore.putMany(records);
        put.push(...records.map(({ shortCode }) => shortCode));
      },
    },
    queuePagesOf,
    publicBaseUrl: "https://t.example",
    logger: log.logger,
  });
  running.push(relay);
  await relay.start?.();
}

const isEmptied = async () => expect(await pending()).toEqual([]);

it("projects rows that existed before it started, and those inserted since", async () => {
  await addLinks(database, { name: "old", count: 1_200 });
  await run();
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
  await addLinks(database, { name: "new" });
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
  expect(put).toHaveLength(1_201);
});

it("empties the outbox before it changes many links, which adds rows to it", async () => {
  await addPages(database, "page");
  await addLinks(database, { name: "old", count: 2 * RELAY_BATCH + 1, page: "page1" });
  await rows(`INSERT INTO bulk_updates (kind, payload) VALUES ('product-state', '{"canonicalUrl": "page1"}')`);
  const begun: unknown[] = [];
  await run(async () => void begun.push((await rows("SELECT after_id > 0 AS begun FROM bulk_updates"))[0]?.begun));
  await vi.waitFor(async () => expect(await rows("SELECT FROM bulk_updates")).toEqual([]), WAIT_OPTIONS);
  expect(begun.slice(0, 3)).toEqual([false, false, false]);
});

it("projects each row exactly once when two relays run", async () => {
  await Promise.all([run(), run()]);
  const writers = await Promise.all(Array.from({ length: 8 }, () => database.connect()));
  const names = writers.map((_, writer) => `w${writer}-`);
  await Promise.all(
    writers.map(async (client, writer) => {
      const rows = async (statement: string, values?: unknown[]) => (await client.query(statement, values)).rows;
      for (let i = 0; i < 25; i++) await addLinks({ rows }, { name: `${names[writer]}${i}-`, count: 20 });
    }),
  );
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
  expect(put).toHaveLength(8 * 25 * 20);
  expect(new Set(put).size).toBe(put.length);
});

it("waits while Redis is unavailable, exposes the age of the oldest pending row, and continues afterwards", async () => {
  await run();
  await redis.server.kill();
  await addLinks(database, { name: "a", count: 3 });
  const lag = async () => (await registry.getSingleMetric("tapthru_outbox_lag_seconds")?.get())?.values[0]?.value;
  await vi.waitFor(async () => expect(await lag()).toBeGreaterThan(0), WAIT_OPTIONS);
  await redis.server.start();
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
  await vi.waitFor(async () => expect(await lag()).toBe(0), WAIT_OPTIONS);
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
});

it("projects rows and makes other changes while a change of many links fails", async () => {
  await rows("INSERT INTO users (id, username, email, firebase_uid) VALUES (1, 'a', 'a', 'a')");
  await addLinks(database, { name: "a", count: 2, withChange: false });
  await rows("INSERT INTO products (canonical_url, marketplace, product_id) VALUES ('page', 'com', 'B08N5WRWNW')");
  await rows("UPDATE links SET user_id = 1, canonical_url = 'page'");
  const accept = await makeFail(database, "all_links", { short_code: "a1" });
  await rows(`INSERT INTO bulk_updates (kind, payload) VALUES
    ('product-state', '{"asin": "B08N5WRWNW"}'),
    ('take-down', '{"links": {"cause": "address", "addressHash": "5f"}, "isTakenDown": true}')`);
  await addLinks(database, { name: "b" });
  await run();
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
  const failed = () => rows("SELECT kind FROM failed_items");
  await vi.waitFor(async () => expect(await failed()).toEqual([{ kind: "bulk-updates" }]), WAIT_OPTIONS);
  const left = () => rows("SELECT kind FROM bulk_updates");
  await vi.waitFor(async () => expect(await left()).toEqual([{ kind: "product-state" }]), WAIT_OPTIONS);
  await accept();
  await rows("UPDATE failed_items SET retry_at = now()");
  await vi.waitFor(async () => expect(await left()).toEqual([]), WAIT_OPTIONS);
});

it("logs a failed round, and retries", async () => {
  await rows("ALTER TABLE link_changes RENAME TO elsewhere");
  await run();
  await vi.waitFor(() => expect(lines.map(({ msg }) => msg)).toContain("outbox relay failed"), WAIT_OPTIONS);
  await registry.metrics();
  expect(lines).toContainEqual(
    expect.objectContaining({ event: "metrics_failed", metric: "tapthru_outbox_lag_seconds" }),
  );
  await rows("ALTER TABLE elsewhere RENAME TO link_changes");
  await addLinks(database, { name: "a" });
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
});
