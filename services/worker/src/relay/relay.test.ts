import type { Component } from "@tapthru/core/platform/lifecycle";
import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { createTcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { createTestLogger, type LogLine } from "@tapthru/core/platform/testing/test-logger";
import type { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { registerMetrics } from "../metrics.ts";
import { addLinks, makeFail, useDatabase } from "../testing/test-database.ts";
import { useRedis } from "../testing/test-redis.ts";
import { type ChangeListener, createChangeListener } from "./change-listener.ts";
import { createRelay } from "./relay.ts";
import { createWaitingReads, RELAY_BATCH } from "./relay-batch.ts";

const WAIT_OPTIONS = { timeout: 60_000, interval: 20 };
const NEVER_MS = 600_000;
const NO_NOTIFICATIONS: ChangeListener = { start() {}, async stop() {} };

const database = await useDatabase();
const redis = await useRedis();
let lines: LogLine[];
let registry: Registry;
let put: string[];
let queued: string[];
const running: Component[] = [];

beforeEach(async () => {
  put = [];
  queued = [];
});
afterEach(() => stopAll());

async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((relay) => relay.stop?.()));
}

async function run(changeListener: ChangeListener, pollMs: number): Promise<void> {
  const log = createTestLogger();
  lines = log.lines;
  registry = createMetrics();
  registerMetrics(registry, { db: database.db, logger: log.logger });
  const relay = createRelay(
    {
      db: database.db,
      redirectStore: {
        ...redis.redirectStore,
        async putMany(records: readonly CodeRecord[]) {
          await redis.redirectStore.putMany(records);
          put.push(...records.map(({ shortCode }) => shortCode));
        },
      },
      async queuePagesOf(shortCodes) {
        queued.push(...shortCodes);
      },
      changeListener,
      publicBaseUrl: "https://t.example",
      logger: log.logger,
    },
    { pollMs },
  );
  running.push(relay);
  await relay.start?.();
}

const listener = (url = database.url) => createChangeListener(url);

async function isEmptied(): Promise<void> {
  const [row] = await database.rows("SELECT count(*)::int AS left FROM link_changes WHERE projected_at IS NULL");
  expect(row).toEqual({ left: 0 });
}

it("projects rows that existed before it started", async () => {
  await addLinks(database, { name: "old", count: 1_200 });
  await run(NO_NOTIFICATIONS, NEVER_MS);
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
  expect(put).toHaveLength(1_200);
});

it("projects rows as soon as Postgres notifies it", async () => {
  await run(listener(), NEVER_MS);
  for (const name of ["a", "b", "c"]) {
    await addLinks(database, { name });
    await vi.waitFor(isEmptied, WAIT_OPTIONS);
  }
  expect(put.sort()).toEqual(["a1", "b1", "c1"]);
});

describe("when its listening connection breaks", () => {
  it("receives notifications on the new connection, and projects rows inserted in the meantime", async () => {
    const proxy = await createTcpProxy(database.url);
    await run(listener(proxy.url), NEVER_MS);
    await addLinks(database, { name: "before" });
    await vi.waitFor(isEmptied, WAIT_OPTIONS);
    await proxy.refuse();
    await addLinks(database, { name: "between" });
    await proxy.accept();
    await vi.waitFor(isEmptied, WAIT_OPTIONS);
    await addLinks(database, { name: "after" });
    await vi.waitFor(isEmptied, WAIT_OPTIONS);
    await stopAll();
    await proxy.refuse();
  });
});

it("projects each row exactly once when two relays run", async () => {
  await Promise.all([run(listener(), 10), run(listener(), 10)]);
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
  await run(NO_NOTIFICATIONS, 10);
  await redis.server.kill();
  await addLinks(database, { name: "a", count: 3 });
  const lag = async () => (await registry.getSingleMetric("tapthru_outbox_lag_seconds")?.get())?.values[0]?.value;
  await vi.waitFor(async () => expect(await lag()).toBeGreaterThan(0), WAIT_OPTIONS);
  await redis.server.start();
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
  await vi.waitFor(async () => expect(await lag()).toBe(0), WAIT_OPTIONS);
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
});

it("queues the page reads of new links while the cache Redis is unavailable, each once", async () => {
  await redis.server.kill();
  await run(NO_NOTIFICATIONS, 10);
  await addLinks(database, { name: "many", count: RELAY_BATCH + 1 });
  await vi.waitFor(() => expect(queued).toHaveLength(RELAY_BATCH + 1), WAIT_OPTIONS);
  await addLinks(database, { name: "later" });
  await vi.waitFor(() => expect(queued).toContain("later1"), WAIT_OPTIONS);
  expect(queued).toHaveLength(RELAY_BATCH + 2);
  expect(new Set(queued).size).toBe(queued.length);
  expect(put).toEqual([]);
  await redis.server.start();
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
});

it("leaves these reads to another relay that is active", async () => {
  const other = await database.connect();
  await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${0x7e1a})`);
  await addLinks(database, { name: "new" });
  await createWaitingReads({ db: database.db, queuePagesOf: async () => expect.fail() })();
  await other.query("ROLLBACK");
});

it("projects rows and makes other changes while a change of many links fails", async () => {
  await database.rows("INSERT INTO users (id, username, email, firebase_uid) VALUES (1, 'a', 'a', 'a')");
  await addLinks(database, { name: "a", count: 2, withChange: false });
  await database.rows("UPDATE links SET user_id = 1");
  const accept = await makeFail(database, "links", { short_code: "a1" });
  await database.rows(`INSERT INTO mass_changes (kind, payload) VALUES
    ('routing', '{"userId": 1, "includesDefault": true}'),
    ('take-down', '{"links": {"cause": "address", "addressHash": "5f"}, "isTakenDown": true}')`);
  await addLinks(database, { name: "b" });
  await run(NO_NOTIFICATIONS, 10);
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
  const failed = () => database.rows("SELECT kind FROM failed_items");
  await vi.waitFor(async () => expect(await failed()).toEqual([{ kind: "mass-changes" }]), WAIT_OPTIONS);
  const left = () => database.rows("SELECT kind FROM mass_changes");
  await vi.waitFor(async () => expect(await left()).toEqual([{ kind: "routing" }]), WAIT_OPTIONS);
  await accept();
  await database.rows("UPDATE failed_items SET retry_at = now()");
  await vi.waitFor(async () => expect(await left()).toEqual([]), WAIT_OPTIONS);
});

it("logs a failed round, and retries", async () => {
  await database.rows("ALTER TABLE link_changes RENAME TO elsewhere");
  await run(NO_NOTIFICATIONS, 10);
  await vi.waitFor(() => expect(lines.map(({ msg }) => msg)).toContain("outbox relay failed"), WAIT_OPTIONS);
  await registry.metrics();
  expect(lines).toContainEqual(
    expect.objectContaining({ event: "metrics_failed", metric: "tapthru_outbox_lag_seconds" }),
  );
  await database.rows("ALTER TABLE elsewhere RENAME TO link_changes");
  await addLinks(database, { name: "a" });
  await vi.waitFor(isEmptied, WAIT_OPTIONS);
});
