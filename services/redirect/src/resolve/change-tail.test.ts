import {
  createPostgres,
  type Postgres,
  PostgresUnavailableError,
} from "@tapthru/runtime/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";
import { createLogLines } from "@tapthru/runtime/testing/log-lines";
import { createTcpProxy, type TcpProxy } from "@tapthru/runtime/testing/tcp-proxy";
import type pg from "pg";
import { sql } from "slonik";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from "vitest";
import * as z from "zod/mini";
import { createTestDatabase, type TestDatabase } from "../testing/test-service.ts";
import { type ChangesQuery, changesQuery } from "./change-queries.ts";
import { ChangeTail } from "./change-tail.ts";
import { Clock } from "./clock.ts";

const CONNECTIONS = 4;

let database: TestDatabase;
let proxy: TcpProxy;
let postgres: Postgres;
let tail: ChangeTail;
let clock: Clock;
let learned: string[];
let timeSinceRedisUpToDate: () => Promise<number | null>;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await createTcpProxy(database.url);
  postgres = createPostgres({
    url: proxy.url,
    applicationName: "change-tail-test",
    maxConnections: CONNECTIONS,
    statementTimeoutMs: 5_000,
    acquireTimeoutMs: 5_000,
    logger: createLogLines().logger,
  });
  await postgres.start?.();
});
afterAll(async () => {
  await postgres.stop?.();
  await proxy.refuse();
  await database.drop();
});
beforeEach(async () => {
  await database.client.query("TRUNCATE link_changes");
  learned = [];
  timeSinceRedisUpToDate = async () => null;
  clock = new Clock();
  tail = newTail();
});
afterEach(() => tail.stop());

const readPage = (wanted: ChangesQuery) => postgres.one(changesQuery(wanted));

/** Longer than any round, unless Postgres is to hang. */
const PATIENCE_MS = 10_000;

function newTail(find = readPage, onLearn = () => {}, pageDeadlineMs = PATIENCE_MS) {
  return new ChangeTail({
    findChanges: find,
    pageDeadlineMs,
    learn: ({ shortCode, revision }) => {
      learned.push(`${shortCode} ${revision}`);
      onLearn();
    },
    timeSinceRedisUpToDate: () => timeSinceRedisUpToDate(),
    clock,
    logger: createLogLines().logger,
  });
}

/** The pool has no broken connection any more. */
async function isPostgresBack(): Promise<void> {
  const look = () => postgres.any(sql.type(z.object({}))`SELECT`);
  await vi.waitFor(() => Promise.all(Array.from({ length: CONNECTIONS }, look)), {
    timeout: 10_000,
  });
}

const add = (shortCode: string, revision: number, client: pg.Client = database.client) =>
  client.query("INSERT INTO link_changes (short_code, revision) VALUES ($1, $2)", [
    shortCode,
    revision,
  ]);

describe("at its start", () => {
  it("reads all rows that are kept, save of links that were just made", async () => {
    await add("one", 2);
    await add("two", 1);
    await add("three", 5);
    await database.client.query("UPDATE link_changes SET projected_at = now()");
    expect(tail.hasCaughtUp).toBe(false);
    await tail.start();
    expect(tail.hasCaughtUp).toBe(true);
    expect(learned).toEqual(["one 2", "three 5"]);
  });

  it("reads rows from before there were transactions on them", async () => {
    await add("old", 2);
    await database.client.query("UPDATE link_changes SET transaction_id = '1'");
    await tail.start();
    expect(learned).toEqual(["old 2"]);
  });

  it("reads more rows than fit a page", async () => {
    await database.client.query(
      "INSERT INTO link_changes (short_code, revision) SELECT 'code' || n, 2 FROM generate_series(1, 25000) n",
    );
    await tail.start();
    expect(learned).toHaveLength(25_000);
    expect(new Set(learned).size).toBe(25_000);
  });

  it("goes on without Postgres, and catches up when it is there", async () => {
    await add("one", 2);
    await proxy.refuse();
    await tail.start();
    expect(tail.hasCaughtUp).toBe(false);
    await proxy.accept();
    await vi.waitFor(() => expect(learned).toEqual(["one 2"]), { timeout: 10_000 });
    expect(tail.hasCaughtUp).toBe(true);
  });
});

describe("started without Postgres", () => {
  const RECENT_MS = 5_000;
  const LONG_AGO_MS = 31_000;
  beforeEach(() => proxy.refuse());
  afterEach(async () => {
    await proxy.accept();
    await isPostgresBack();
  });

  it.each([
    ["lacks changes, or nobody knows: neither trusts it nor is ready", null, [false, false]],
    ["was up to date a moment ago: trusts it and waits for Postgres", RECENT_MS, [true, false]],
    ["was up to date when Postgres went: trusts it and is ready", LONG_AGO_MS, [true, true]],
  ])("with a Redis that %s", async (_title, ageMs, expected) => {
    timeSinceRedisUpToDate = async () => ageMs;
    await tail.start();
    expect([tail.trustsRedis, tail.isReady]).toEqual(expected);
    expect(tail.hasCaughtUp).toBe(false);
  });

  it("trusts Redis no longer once its mark has ended, and stays ready", async () => {
    timeSinceRedisUpToDate = async () => LONG_AGO_MS;
    await tail.start();
    timeSinceRedisUpToDate = async () => null;
    await vi.waitFor(() => expect(tail.trustsRedis).toBe(false), { timeout: 10_000 });
    expect(tail.isReady).toBe(true);
  });

  it("goes on trusting Redis while that is unavailable", async () => {
    timeSinceRedisUpToDate = async () => LONG_AGO_MS;
    await tail.start();
    const refuse = vi.fn().mockRejectedValue(new RedisUnavailableError("cache", "is unavailable"));
    timeSinceRedisUpToDate = refuse;
    await vi.waitFor(() => expect(refuse).toHaveBeenCalled(), { timeout: 10_000 });
    expect(tail.trustsRedis).toBe(true);
  });

  it("reads all rows that are kept once Postgres is there, and asks Redis no more", async () => {
    timeSinceRedisUpToDate = async () => RECENT_MS;
    await tail.start();
    await add("one", 2);
    const ask = vi.fn(async () => null);
    await proxy.accept();
    await vi.waitFor(() => expect(tail.hasCaughtUp).toBe(true), { timeout: 10_000 });
    expect(learned).toEqual(["one 2"]);
    timeSinceRedisUpToDate = ask;
    await proxy.refuse();
    expect(await tail.next()).toBe(false);
    expect(ask).not.toHaveBeenCalled();
    expect([tail.trustsRedis, tail.isReady]).toEqual([true, true]);
  });
});

it("trusts Redis and is ready once it has read the rows, whatever Redis says", async () => {
  await tail.start();
  expect([tail.trustsRedis, tail.isReady]).toEqual([true, true]);
});

describe("from then on", () => {
  beforeEach(() => tail.start());

  it("reads what was added, also of links that were just made, and no row twice", async () => {
    await add("one", 1);
    await tail.next();
    await add("two", 2);
    await tail.next();
    await tail.next();
    expect(learned).toEqual(["one 1", "two 2"]);
  });

  it("has counted a page before it learns from it", async () => {
    const pages: number[] = [];
    const other = newTail(readPage, () => void pages.push(other.pagesRead));
    await add("one", 2);
    await other.start();
    onTestFinished(() => other.stop());
    expect(pages).toEqual([1]);
  });

  it("reads without being asked", async () => {
    await add("one", 2);
    await vi.waitFor(() => expect(learned).toEqual(["one 2"]), { timeout: 10_000 });
  });

  it("reads a row whose transaction commits after later ones, however late", async () => {
    const slow = await database.connect();
    await slow.query("BEGIN");
    await add("slow", 2, slow);
    await add("quick", 2);
    await tail.next();
    await tail.next();
    expect(learned).toEqual(["quick 2"]);
    await add("quick", 3);
    await slow.query("COMMIT");
    await tail.next();
    expect(learned.toSorted()).toEqual(["quick 2", "quick 3", "slow 2"]);
  });

  it("reads a row whose number was taken long before its transaction began to write", async () => {
    const slow = await database.connect();
    const { rows } = await slow.query(
      "SELECT nextval(pg_get_serial_sequence('link_changes', 'id')) AS id",
    );
    for (const code of ["one", "two"]) {
      await add(code, 2);
      await tail.next();
    }
    await slow.query(
      "INSERT INTO link_changes (id, short_code, revision) VALUES ($1, 'early', 2)",
      [rows[0].id],
    );
    await tail.next();
    expect(learned).toEqual(["one 2", "two 2", "early 2"]);
  });

  it("never reads what was rolled back", async () => {
    const slow = await database.connect();
    await slow.query("BEGIN");
    await add("never", 2, slow);
    await tail.next();
    await slow.query("ROLLBACK");
    await tail.next();
    expect(learned).toEqual([]);
  });

  it("says so when Postgres cannot be asked, goes on serving, and misses nothing", async () => {
    const freshBefore = tail.freshUntil;
    await proxy.refuse();
    expect(await tail.next()).toBe(false);
    expect(tail.freshUntil).toBeGreaterThan(freshBefore);
    await add("meanwhile", 2);
    await proxy.accept();
    await vi.waitFor(async () => expect(await tail.next()).toBe(true), { timeout: 10_000 });
    expect(learned).toEqual(["meanwhile 2"]);
  });

  it("does not wait for a Postgres that hangs", async () => {
    const hasty = newTail(readPage, () => {}, 100);
    await hasty.start();
    onTestFinished(() => hasty.stop());
    proxy.hold();
    expect(await hasty.next()).toBe(false);
    proxy.release();
    await vi.waitFor(async () => expect(await hasty.next()).toBe(true), { timeout: 10_000 });
  });
});

it("ends waiting with a round that begins after it was asked for", async () => {
  const rounds: PromiseWithResolvers<void>[] = [];
  tail = newTail(async (wanted) => {
    const round = Promise.withResolvers<void>();
    rounds.push(round);
    await round.promise;
    return readPage(wanted);
  });
  const started = tail.start();
  const asked = tail.next();
  let isOver = false;
  void asked.then(() => {
    isOver = true;
  });
  rounds[0]?.resolve();
  await started;
  expect(isOver).toBe(false);
  await vi.waitFor(() => expect(rounds).toHaveLength(2), { timeout: 10_000 });
  expect(isOver).toBe(false);
  rounds[1]?.resolve();
  expect(await asked).toBe(true);
});

it("begins anew with a server that is behind what it saw", async () => {
  const wanted: [seen: string, withCreated: boolean][] = [];
  const snapshots = ["900:950:", "500:510:", "511:511:", "512:512:"];
  tail = newTail(async ({ seen, withCreated }) => {
    wanted.push([seen, withCreated]);
    return { snapshot: snapshots.shift() ?? "513:513:", now: Date.now(), changes: [], next: null };
  });
  await tail.start();
  for (let round = 0; round < 3; round++) await tail.next();
  expect(wanted).toEqual([
    ["1:1:", false],
    ["900:950:", true],
    ["1:1:", true],
    ["511:511:", true],
  ]);
});

it("corrects the clock", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
  onTestFinished(() => void vi.useRealTimers());
  clock = new Clock();
  tail = newTail();
  await tail.start();
  expect(Math.round(clock.machineAheadMs / 1_000)).toBe(120);
});

it("says of what fails otherwise that it failed", async () => {
  const { logger, lines } = createLogLines();
  const failing = new ChangeTail({
    findChanges: () => Promise.reject(new TypeError("no such thing")),
    pageDeadlineMs: PATIENCE_MS,
    learn: () => {},
    timeSinceRedisUpToDate: async () => null,
    clock,
    logger,
  });
  await failing.start();
  await failing.stop();
  expect(lines.map(({ msg }) => msg)).toContain("failed to read link changes");
  const away = new ChangeTail({
    findChanges: () => Promise.reject(new PostgresUnavailableError("away")),
    pageDeadlineMs: PATIENCE_MS,
    learn: () => {},
    timeSinceRedisUpToDate: async () => null,
    clock,
    logger,
  });
  lines.length = 0;
  await away.start();
  await away.stop();
  expect(lines).toEqual([]);
});
