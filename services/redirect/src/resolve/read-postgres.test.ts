import { createPostgres } from "@tapthru/core/platform/postgres/postgres";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { createTcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { type OwnerRecord, ownerKey } from "@tapthru/proto/redirect/owner";
import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import { afterAll, beforeEach, expect, it } from "vitest";
import { databaseForFile, eventually } from "../testing/start-world.ts";
import { newCode, newUserId } from "../testing/test-service.ts";
import { Memory } from "./memory.ts";
import { readPostgres } from "./read-postgres.ts";

const NAME = "read-postgres-test";
const { logger } = createTestLogger();

const database = await databaseForFile();
const proxy = await createTcpProxy(database.url);
const postgres = createPostgres({
  url: proxy.url,
  applicationName: NAME,
  maxConnections: 10,
  logger,
  statementTimeoutMs: 30_000,
  acquireTimeoutMs: 30_000,
});
await postgres.start?.();
afterAll(async () => {
  await postgres.stop?.();
  await proxy.refuse();
});
let memory: Memory;
let tail: { hasCaughtUp: boolean; pagesRead: number };
let written: Map<string, RedirectRecord>;
let code: string;

beforeEach(() => {
  code = newCode();
  written = new Map();
  tail = { hasCaughtUp: true, pagesRead: 1 };
  memory = new Memory(4_000_000);
});

function dependencies() {
  return {
    db: postgres,
    redirectStore: {
      async restoreMany(records: readonly CodeRecord[]) {
        for (const { shortCode, record } of records) written.set(shortCode, record);
      },
    },
    memory,
    tail,
    logger,
    deadlineMs: 30_000,
  };
}
const read = () => readPostgres(dependencies(), code);
const applyRevision = (revision: number) => memory.apply({ shortCode: code, revision });

/** Starts a read. Postgres has responded, and the response is held. */
async function startHeldRead(): Promise<{ reading: ReturnType<typeof read> }> {
  const { rows } = await database.client.query("SELECT clock_timestamp()::text AS now");
  proxy.holdResponses();
  const reading = read();
  await eventually(async () => {
    const finished = await database.client.query(
      `SELECT FROM pg_stat_activity
       WHERE application_name = $1 AND state = 'idle' AND query LIKE '%redirect_records%' AND query_start > $2`,
      [NAME, rows[0].now],
    );
    expect(finished.rowCount).toBe(1);
  });
  return { reading };
}

it("reads a link with its owner, unless a newer change of the owner is known", async () => {
  const owner = ownerKey(newUserId());
  const id = Number(owner.slice(1));
  await database.client.query(`INSERT INTO users (id, username, email, firebase_uid) VALUES (${id}, 'u', 'u', 'u')`);
  await database.insertLink(code, { user_id: id });
  await read();
  expect(memory.get(owner)?.lookup).toMatchObject({ state: "owner", revision: 1 });
  expect([...written.keys()]).toEqual([code, owner]);
  memory.apply({ shortCode: owner, revision: 2 });
  await read();
  expect(memory.get(owner)).toBeUndefined();
});

it("keeps the channels of an owner that this release can read", async () => {
  const owner = newUserId();
  await database.client.query(`
    INSERT INTO users (id, username, email, firebase_uid) VALUES (${owner}, '${owner}', '${owner}', '${owner}');
    INSERT INTO channel_tags VALUES (default_channel(${owner}), ${owner}, 'de', 'me-21');
    WITH blog AS (INSERT INTO channels (user_id, name, name_key) VALUES (${owner}, 'Blog', 'blog') RETURNING id)
    INSERT INTO channel_tags SELECT id, ${owner}, 'de', 'of a later release' FROM blog`);
  code = ownerKey(owner);
  const { channels } = (await read()) as OwnerRecord;
  expect(Object.values(channels)).toEqual([{ tags: { de: "me-21" } }]);
  expect(written).toEqual(new Map());
});

it("repeats the query after a change during it", async () => {
  await database.insertLink(code);
  const { reading } = await startHeldRead();
  await database.deleteLink(code);
  applyRevision(2);
  proxy.release();
  const tombstone = { state: "gone", reason: "deleted", revision: 2 };
  expect(await reading).toEqual(tombstone);
  expect(memory.get(code)?.lookup).toEqual(tombstone);
  expect(written.get(code)).toEqual(tombstone);
});

it("drops the link after a later change", async () => {
  await database.insertLink(code);
  const { reading } = await startHeldRead();
  await database.deleteLink(code);
  proxy.release();
  expect(await reading).toMatchObject({ state: "live" });
  applyRevision(2);
  expect(memory.get(code)).toBeUndefined();
});

it("trusts Postgres over earlier announcements", async () => {
  await database.insertLink(code);
  applyRevision(9);
  expect(await read()).toMatchObject({ state: "live", revision: 1 });
});

it("does not cache an unknown code if changes were read during the query", async () => {
  const { reading } = await startHeldRead();
  await database.insertLink(code);
  applyRevision(1);
  tail.pagesRead++;
  proxy.release();
  expect(await reading).toEqual({ state: "unknown" });
  expect(memory.unknownCodes.has(code)).toBe(false);
});

it("does not cache an unknown code before the tail has caught up", async () => {
  tail.hasCaughtUp = false;
  expect(await read()).toEqual({ state: "unknown" });
  expect(memory.unknownCodes.has(code)).toBe(false);
});

it("is unavailable after the deadline", async () => {
  proxy.holdResponses();
  const reading = readPostgres({ ...dependencies(), deadlineMs: 50 }, code);
  expect(await reading).toEqual({ state: "unavailable" });
  proxy.release();
});
