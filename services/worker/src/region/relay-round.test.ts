import { REDIRECTS_UP_TO_DATE_KEY, redirectKey } from "@tapthru/proto/redirect/record";
import { insertLinkChanges, retireDeletedLinks } from "@tapthru/runtime/outbox";
import { readWalPosition } from "@tapthru/runtime/postgres/wal-position";
import { storedCodes } from "@tapthru/runtime/redis/redirect-store";
import { createRedisSubscriber } from "@tapthru/runtime/redis/subscriber";
import { createTestLogger, type LogLine } from "@tapthru/runtime/testing/test-logger";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { purgeOldRows } from "../jobs/purge-old-rows.ts";
import {
  addLinks,
  createTestDatabase,
  makeUnreadable,
  type TestDatabase,
} from "../testing/test-database.ts";
import { createTestRedis, type TestRedis } from "../testing/test-redis.ts";
import { createPositionStore } from "./position.ts";
import { type RegionRelayDependencies, relayRound } from "./relay-round.ts";

const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

let database: TestDatabase;
let redis: TestRedis;
let deps: RegionRelayDependencies;
let lines: LogLine[];
let put: string[];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), createTestRedis()]);
});
afterAll(() => Promise.all([database.drop(), redis.remove()]));
beforeEach(async () => {
  await database.empty();
  await redis.flush();
  put = [];
  const log = createTestLogger();
  lines = log.lines;
  deps = {
    db: database.db,
    redirectStore: {
      ...redis.redirectStore,
      async putMany(records) {
        await redis.redirectStore.putMany(records);
        put.push(...records.map(({ shortCode }) => shortCode));
      },
    },
    position: createPositionStore(redis.redis),
    storedCodes: () => storedCodes(redis.redis),
    logger: log.logger,
  };
});

const round = () => relayRound(deps, signal);
const record = (shortCode: string) => redis.redirectStore.get(shortCode);
const hasCompared = () => lines.some(({ msg }) => msg === "all records are as in Postgres");

const change = (shortCode: string) =>
  database.rows(
    `WITH link AS (
       UPDATE links SET revision = revision + 1, title = 'Title ' || (revision + 1)
       WHERE short_code = $1 RETURNING short_code, revision
     )
     ${insertLinkChanges.sql}`,
    [shortCode],
  );

const remove = (shortCode: string) =>
  database.rows(
    `WITH link AS (
       DELETE FROM links WHERE short_code = $1
       RETURNING short_code, revision + 1 AS revision, 'deleted' AS reason
     ), ${retireDeletedLinks.sql}
     SELECT`,
    [shortCode],
  );

/** As if the first region's relay had projected all rows, and an hour had passed. */
async function purgeOutbox(): Promise<void> {
  await database.rows("UPDATE link_changes SET projected_at = now() - interval '61 minutes'");
  await purgeOldRows(
    {
      db: database.db,
      clickRetention: { keptMonths: 1 },
      auditLogDays: 365,
      clickHouse: null,
      logger: createTestLogger().logger,
    },
    signal,
  );
}

/** As if the last round had been that long ago. */
async function agePosition(ms: number): Promise<void> {
  const position = await deps.position.read();
  if (position === null) throw new Error("no position");
  await deps.position.write({ ...position, readAt: position.readAt - ms });
}

it("writes the other links if a record was written by a newer release", async () => {
  await addLinks(database, { name: "new", count: 2 });
  await round();
  await makeUnreadable(database, "new1");
  await Promise.all([change("new1"), change("new2")]);
  await round();
  expect(await record("new1")).toBeNull();
  expect(await record("new2")).toMatchObject({ revision: 2 });
});

it("writes created, changed and deleted links to Redis, whether or not the first region has them", async () => {
  await addLinks(database, { name: "new", count: 3 });
  await round();
  await database.rows("UPDATE link_changes SET projected_at = now()");
  await change("new2");
  await remove("new3");
  await round();
  expect(await record("new1")).toMatchObject({ state: "live", revision: 1 });
  expect(await record("new2")).toMatchObject({ title: "Title 2", revision: 2 });
  expect(await record("new3")).toMatchObject({ state: "gone", revision: 2 });
});

it("announces changes to the redirects of the region", async () => {
  await addLinks(database, { name: "hot" });
  await round();
  const messages: string[] = [];
  const subscribed = Promise.withResolvers<void>();
  const subscriber = createRedisSubscriber({
    url: redis.server.url,
    channel: "redirect:changes",
    onMessage: (message) => void messages.push(message),
    onSubscribed: subscribed.resolve,
  });
  await subscriber.start?.();
  onTestFinished(async () => subscriber.stop?.());
  await subscribed.promise;
  await remove("hot1");
  await round();
  await vi.waitFor(() => expect(messages).toEqual(["hot1 2"]), { timeout: 30_000 });
});

it("reads several pages, and each row once", async () => {
  await round();
  await addLinks(database, { name: "many", count: 2_500 });
  await round();
  await round();
  expect(put).toHaveLength(2_500);
  expect(new Set(put).size).toBe(2_500);
});

it("reads a row whose transaction commits after later ones", async () => {
  await round();
  const slow = await database.connect();
  await slow.query("BEGIN");
  await addLinks({ rows: async (...args) => (await slow.query(...args)).rows }, { name: "slow" });
  await addLinks(database, { name: "quick" });
  await round();
  expect(put).toEqual(["quick1"]);
  await slow.query("COMMIT");
  await round();
  expect(put).toEqual(["quick1", "slow1"]);
});

it("marks Redis as up to date, with the position of the primary", async () => {
  expect(await redis.redirectStore.upToDateMark()).toBeNull();
  const { clusterId, position } = await readWalPosition(database.db);
  await round();
  const mark = await redis.redirectStore.upToDateMark();
  expect(mark?.ageMs).toBeLessThan(HOUR_MS);
  expect(mark?.primary).toMatchObject({ clusterId });
  expect(mark?.primary?.position).toBeGreaterThanOrEqual(position);
});

it("continues where Redis is after Redis lost its last writes", async () => {
  await addLinks(database, { name: "a" });
  await round();
  const [position, text] = await Promise.all([
    deps.position.read(),
    redis.redis.run((client) => client.get(redirectKey("a1"))),
  ]);
  await remove("a1");
  await round();
  if (position === null || text === null) throw new Error("nothing was written");
  await redis.redis.run((client) => client.set(redirectKey("a1"), text));
  await deps.position.write(position);
  await round();
  expect(await record("a1")).toMatchObject({ state: "gone", revision: 2 });
  expect(hasCompared()).toBe(true);
  expect(lines.filter(({ event }) => event === "region_comparison_started")).toHaveLength(1);
});

it("relays everything in any order of two relays", async () => {
  await addLinks(database, { name: "w", count: 20 });
  const change10 = async () => {
    for (let n = 1; n <= 10; n++) await (n % 2 === 0 ? remove(`w${n}`) : change(`w${n}`));
  };
  await Promise.all([round(), change10(), round()]);
  await round();
  for (let n = 1; n <= 10; n++) {
    const state = n % 2 === 0 ? "gone" : "live";
    expect(await record(`w${n}`)).toMatchObject({ state, revision: 2 });
  }
});

it("repeats a round that failed", async () => {
  await round();
  await addLinks(database, { name: "a" });
  const { putMany } = deps.redirectStore;
  deps.redirectStore.putMany = () => Promise.reject(new Error("failed"));
  await expect(round()).rejects.toThrow("failed");
  deps.redirectStore.putMany = putMany;
  await round();
  expect(await record("a1")).toMatchObject({ revision: 1 });
});

it("reads all rows again from a server that has lost transactions", async () => {
  await round();
  await addLinks(database, { name: "a" });
  await round();
  const position = await deps.position.read();
  if (position === null) throw new Error("no position");
  await deps.position.write({ ...position, snapshot: "900000000:900000000:" });
  await round();
  await round();
  expect(put).toEqual(["a1", "a1"]);
});

describe("after the outbox dropped rows that Redis lacks", () => {
  beforeEach(async () => {
    await addLinks(database, { name: "old", count: 3 });
    await round();
    await remove("old1");
    await change("old2");
    await purgeOutbox();
  });

  it("compares all records with Postgres if the position is older than the rows", async () => {
    await agePosition(HOUR_MS);
    await round();
    expect(await record("old1")).toMatchObject({ state: "gone", revision: 2 });
    expect(await record("old2")).toMatchObject({ title: "Title 2", revision: 2 });
    expect(await record("old3")).toMatchObject({ revision: 1 });
    expect(hasCompared()).toBe(true);
  });

  it("compares them if Redis has no position, or an invalid one", async () => {
    for (const position of [null, "no position"]) {
      await redis.redis.run(async (client) => {
        if (position === null) await client.del("region:outbox-position");
        else await client.set("region:outbox-position", position);
      });
      lines.length = 0;
      await round();
      expect(hasCompared()).toBe(true);
    }
    expect(await record("old1")).toMatchObject({ state: "gone", revision: 2 });
  });

  it("starts the comparison again if it was interrupted, and does not mark Redis as up to date", async () => {
    await agePosition(HOUR_MS);
    await redis.redis.run((client) => client.del(REDIRECTS_UP_TO_DATE_KEY));
    const stop = new AbortController();
    stop.abort();
    await expect(relayRound(deps, stop.signal)).rejects.toThrow();
    expect(await redis.redirectStore.upToDateMark()).toBeNull();
    await round();
    expect(await record("old1")).toMatchObject({ state: "gone", revision: 2 });
  });

  it("relays changes during the comparison", async () => {
    await agePosition(HOUR_MS);
    const { storedCodes: scan } = deps;
    deps.storedCodes = async function* () {
      yield* scan();
      await remove("old3");
      yield [];
    };
    await round();
    expect(await record("old3")).toMatchObject({ state: "gone", revision: 2 });
  });
});

it("does not compare the records of a region that was cut off for less than an hour", async () => {
  await round();
  lines.length = 0;
  await agePosition(HOUR_MS / 2);
  await addLinks(database, { name: "a" });
  await round();
  expect(await record("a1")).toMatchObject({ revision: 1 });
  expect(hasCompared()).toBe(false);
});
