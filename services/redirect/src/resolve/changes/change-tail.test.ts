import { type ChangesQuery, changesQuery } from "@tapthru/core/outbox";
import { createPostgres } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { createTcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import type pg from "pg";
import { sql } from "slonik";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/mini";
import { databaseForFile, eventually } from "../../testing/start-world.ts";
import { Clock } from "../clock.ts";
import { ChangeTail } from "./change-tail.ts";

const CONNECTIONS = 4;

const database = await databaseForFile();
const proxy = await createTcpProxy(database.url);
const postgres = createPostgres({
  url: proxy.url,
  applicationName: "change-tail-test",
  maxConnections: CONNECTIONS,
  statementTimeoutMs: 30_000,
  acquireTimeoutMs: 30_000,
  logger: createTestLogger().logger,
});
await postgres.start?.();
afterAll(async () => {
  await postgres.stop?.();
  await proxy.refuse();
});
let tail: ChangeTail;
let received: string[];
let timeSinceRedisUpToDate: () => Promise<number | null>;

beforeEach(async () => {
  await database.client.query("TRUNCATE link_changes");
  received = [];
  timeSinceRedisUpToDate = async () => null;
  tail = newTail();
});
afterEach(() => tail.stop());

const readPage = (query: ChangesQuery) => postgres.one(changesQuery(query));

/** Longer than any round, except in tests where Postgres hangs. */
const LONG_DEADLINE_MS = 30_000;

function newTail(readChanges = readPage, afterChange = () => {}, pageDeadlineMs = LONG_DEADLINE_MS) {
  return new ChangeTail({
    readChanges,
    pageDeadlineMs,
    onChange: ({ shortCode, revision }) => {
      received.push(`${shortCode} ${revision}`);
      afterChange();
    },
    timeSinceRedisUpToDate: () => timeSinceRedisUpToDate(),
    clock: new Clock(),
    logger: createTestLogger().logger,
  });
}

async function waitForPostgres(): Promise<void> {
  const query = () => postgres.any(sql.type(z.object({}))`SELECT`);
  await eventually(() => Promise.all(Array.from({ length: CONNECTIONS }, query)));
}

const add = (shortCode: string, revision: number, client: pg.Client = database.client) =>
  client.query("INSERT INTO link_changes (short_code, revision) VALUES ($1, $2)", [shortCode, revision]);

describe("at start", () => {
  it("reads all rows of the outbox except those of created links", async () => {
    await add("one", 2);
    await add("two", 1);
    await add("three", 5);
    await database.client.query("UPDATE link_changes SET projected_at = now()");
    expect(tail.hasCaughtUp).toBe(false);
    await tail.start();
    expect(tail.hasCaughtUp).toBe(true);
    expect(received).toEqual(["one 2", "three 5"]);
  });

  it("reads more than one page", async () => {
    await database.client.query(
      "INSERT INTO link_changes (short_code, revision) SELECT 'code' || n, 2 FROM generate_series(1, 25000) n",
    );
    await tail.start();
    expect(received).toHaveLength(25_000);
    expect(new Set(received).size).toBe(25_000);
  });
});

describe("started without Postgres", () => {
  const RECENT_MS = 5_000;
  const LONG_AGO_MS = 31_000;
  beforeEach(() => proxy.refuse());
  afterEach(async () => {
    await proxy.accept();
    await waitForPostgres();
  });

  it.each([
    ["may lack changes, neither trusts it nor is ready", null, [false, false]],
    ["was up to date a moment ago, trusts it and waits for Postgres", RECENT_MS, [true, false]],
    ["was up to date when Postgres became unavailable, trusts it and is ready", LONG_AGO_MS, [true, true]],
  ])("starts without Postgres, with a Redis that %s", async (_title, ageMs, expected) => {
    timeSinceRedisUpToDate = async () => ageMs;
    await tail.start();
    expect([tail.trustsRedis, tail.isReady]).toEqual(expected);
    expect(tail.hasCaughtUp).toBe(false);
  });

  it("stops trusting Redis when its mark expires, and stays ready", async () => {
    timeSinceRedisUpToDate = async () => LONG_AGO_MS;
    await tail.start();
    timeSinceRedisUpToDate = async () => null;
    await eventually(() => expect(tail.trustsRedis).toBe(false));
    expect(tail.isReady).toBe(true);
  });

  it("still trusts Redis while it is unavailable", async () => {
    timeSinceRedisUpToDate = async () => LONG_AGO_MS;
    await tail.start();
    const failing = vi.fn().mockRejectedValue(new RedisUnavailableError("cache", "is unavailable"));
    timeSinceRedisUpToDate = failing;
    await eventually(() => expect(failing).toHaveBeenCalled());
    expect(tail.trustsRedis).toBe(true);
  });

  it("reads all rows when Postgres is available, and no longer queries Redis", async () => {
    timeSinceRedisUpToDate = async () => RECENT_MS;
    await tail.start();
    await add("one", 2);
    const readTime = vi.fn(async () => null);
    await proxy.accept();
    await eventually(() => expect(tail.hasCaughtUp).toBe(true));
    expect(received).toEqual(["one 2"]);
    timeSinceRedisUpToDate = readTime;
    await proxy.refuse();
    expect(await tail.sync()).toBe(false);
    expect(readTime).not.toHaveBeenCalled();
    expect([tail.trustsRedis, tail.isReady]).toEqual([true, true]);
  });
});

describe("after start", () => {
  beforeEach(() => tail.start());

  it("reads each new row once, including those of created links", async () => {
    await add("one", 1);
    await tail.sync();
    await add("two", 2);
    await tail.sync();
    await tail.sync();
    expect(received).toEqual(["one 1", "two 2"]);
  });

  it("increments `pagesRead` before it reports changes", async () => {
    const pages: number[] = [];
    const counting = newTail(readPage, () => void pages.push(counting.pagesRead));
    await add("one", 2);
    await counting.start();
    onTestFinished(() => counting.stop());
    expect(pages).toEqual([1]);
  });

  it("reads a row whose transaction commits after later transactions", async () => {
    const slow = await database.connect();
    await slow.query("BEGIN");
    await add("slow", 2, slow);
    await add("quick", 2);
    await tail.sync();
    await tail.sync();
    expect(received).toEqual(["quick 2"]);
    await add("quick", 3);
    await slow.query("COMMIT");
    await tail.sync();
    expect(received.toSorted()).toEqual(["quick 2", "quick 3", "slow 2"]);
  });

  it("reads a row whose id is older than its transaction", async () => {
    const slow = await database.connect();
    const { rows } = await slow.query("SELECT nextval(pg_get_serial_sequence('link_changes', 'id')) AS id");
    for (const code of ["one", "two"]) {
      await add(code, 2);
      await tail.sync();
    }
    await slow.query("INSERT INTO link_changes (id, short_code, revision) VALUES ($1, 'early', 2)", [rows[0].id]);
    await tail.sync();
    expect(received).toEqual(["one 2", "two 2", "early 2"]);
  });

  it("reports that Postgres is unavailable, stays fresh, and misses no row", async () => {
    const freshBefore = tail.freshUntil;
    await proxy.refuse();
    expect(await tail.sync()).toBe(false);
    expect(tail.freshUntil).toBeGreaterThan(freshBefore);
    await add("late", 2);
    await proxy.accept();
    await eventually(async () => expect(await tail.sync()).toBe(true));
    expect(received).toEqual(["late 2"]);
  });

  it("says how long changes have not been read, if that is some time", async () => {
    expect(tail.note).toBeNull();
    await proxy.refuse();
    expect(await tail.sync()).toBe(false);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 42_000);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(tail.note).toMatch(/^changes have not been read for \d\d s$/);
    await proxy.accept();
    await eventually(async () => expect(await tail.sync()).toBe(true));
    expect(tail.note).toBeNull();
  });

  it("does not wait for an unresponsive Postgres", async () => {
    const impatient = newTail(readPage, () => {}, 1_000);
    await impatient.start();
    onTestFinished(() => impatient.stop());
    proxy.hold();
    expect(await impatient.sync()).toBe(false);
    proxy.release();
    await eventually(async () => expect(await impatient.sync()).toBe(true));
  });
});

it("`sync` resolves after a round that starts after the call", async () => {
  const rounds: PromiseWithResolvers<void>[] = [];
  tail = newTail(async (query) => {
    const round = Promise.withResolvers<void>();
    rounds.push(round);
    await round.promise;
    return readPage(query);
  });
  const started = tail.start();
  const synced = tail.sync();
  let isSynced = false;
  void synced.then(() => {
    isSynced = true;
  });
  rounds[0]?.resolve();
  await started;
  expect(isSynced).toBe(false);
  await eventually(() => expect(rounds).toHaveLength(2));
  expect(isSynced).toBe(false);
  rounds[1]?.resolve();
  expect(await synced).toBe(true);
});

it("reads all rows again from a server that has lost transactions", async () => {
  const queries: [knownSnapshot: string, includeCreated: boolean][] = [];
  const snapshots = ["900:950:", "500:510:", "511:511:", "512:512:"];
  tail = newTail(async ({ knownSnapshot, includeCreated }) => {
    queries.push([knownSnapshot, includeCreated]);
    return { snapshot: snapshots.shift() ?? "513:513:", now: Date.now(), changes: [], next: null };
  });
  await tail.start();
  for (let round = 0; round < 3; round++) await tail.sync();
  expect(queries).toEqual([
    ["1:1:", false],
    ["900:950:", true],
    ["1:1:", true],
    ["511:511:", true],
  ]);
});

it("logs failures other than an unavailable Postgres", async () => {
  const { logger, lines } = createTestLogger();
  const failing = new ChangeTail({
    readChanges: () => Promise.reject(new TypeError("no such thing")),
    pageDeadlineMs: LONG_DEADLINE_MS,
    onChange: () => {},
    timeSinceRedisUpToDate: async () => null,
    clock: new Clock(),
    logger,
  });
  await failing.start();
  await failing.stop();
  expect(lines.map(({ msg }) => msg)).toContain("failed to read link changes");
});
