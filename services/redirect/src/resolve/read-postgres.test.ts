import { type FaultProxy, startFaultProxy } from "@tapthru/chaos/injectors/fault-proxy";
import type { RedirectRecord } from "@tapthru/proto/redirect/record";
import { createPostgres, type Postgres } from "@tapthru/runtime/postgres/postgres";
import type { CodeRecord } from "@tapthru/runtime/redis/redirect-store";
import { createLogLines } from "@tapthru/runtime/testing/log-lines";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import {
  createTestDatabase,
  liveRecord,
  newCode,
  type TestDatabase,
} from "../testing/test-service.ts";
import { LinkCache } from "./link-cache.ts";
import { applyChange, createUnknownCodes, type Memory } from "./memory.ts";
import { findRedirectRecord } from "./queries.ts";
import { readPostgres } from "./read-postgres.ts";
import { RevisionFloors } from "./revision-floors.ts";

const NAME = "read-postgres-test";
const { logger } = createLogLines();

let database: TestDatabase;
let wire: FaultProxy;
let postgres: Postgres;
let memory: Memory;
let tail: { hasCaughtUp: boolean; pagesRead: number };
let put: Map<string, RedirectRecord>;
let code: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  wire = await startFaultProxy(Number(url.port));
  url.port = String(wire.port);
  postgres = createPostgres({
    url: url.href,
    applicationName: NAME,
    maxConnections: 10,
    statementTimeoutMs: 10_000,
    acquireTimeoutMs: 10_000,
    logger,
  });
  await postgres.start?.();
});
afterAll(async () => {
  await postgres.stop?.();
  await wire.stop();
  await database.drop();
});
beforeEach(() => {
  code = newCode();
  put = new Map();
  tail = { hasCaughtUp: true, pagesRead: 1 };
  memory = {
    links: new LinkCache({ maxEntries: 10, maxBytes: 1e6 }),
    floors: new RevisionFloors(10),
    unknownCodes: createUnknownCodes(10),
  };
});

function needs() {
  return {
    findRedirectRecord: (shortCode: string) => findRedirectRecord(postgres, shortCode),
    redirectStore: {
      async restoreMany(records: readonly CodeRecord[]) {
        for (const { shortCode, record } of records) put.set(shortCode, record);
      },
    },
    memory,
    tail,
    logger,
    deadlineMs: 10_000,
  };
}
const read = () => readPostgres(needs(), code);
const learn = (revision: number) => applyChange(memory, { shortCode: code, revision });

/** Starts reading; when this ends Postgres has answered, and the answer is held. */
async function readHeld(): Promise<{ reading: ReturnType<typeof read> }> {
  const { rows } = await database.client.query("SELECT clock_timestamp()::text AS now");
  wire.holdResponses();
  const reading = read();
  await vi.waitFor(
    async () => {
      const answered = await database.client.query(
        `SELECT FROM pg_stat_activity
       WHERE application_name = $1 AND state = 'idle' AND query LIKE '%redirect_records%'
         AND query_start > $2`,
        [NAME, rows[0].now],
      );
      expect(answered.rowCount).toBe(1);
    },
    { timeout: 10_000 },
  );
  return { reading };
}

it("takes a link into memory and puts its record into Redis", async () => {
  await database.insertLink(code);
  expect(await read()).toMatchObject(liveRecord());
  expect(memory.links.get(code)?.lookup).toMatchObject(liveRecord());
  expect(put.get(code)).toEqual(liveRecord());
});

it("asks again when it hears of a change while the answer is on its way", async () => {
  await database.insertLink(code);
  const { reading } = await readHeld();
  await database.deleteLink(code);
  learn(2);
  wire.release();
  const tombstone = { state: "gone", reason: "deleted", revision: 2 };
  expect(await reading).toEqual(tombstone);
  expect(memory.links.get(code)?.lookup).toEqual(tombstone);
  expect(put.get(code)).toEqual(tombstone);
});

it("keeps nothing when it hears of the change afterwards", async () => {
  await database.insertLink(code);
  const { reading } = await readHeld();
  await database.deleteLink(code);
  wire.release();
  expect(await reading).toMatchObject({ state: "live" });
  learn(2);
  expect(memory.links.get(code)).toBeUndefined();
});

it("believes Postgres against what it heard before it asked", async () => {
  await database.insertLink(code);
  learn(9);
  expect(await read()).toMatchObject({ state: "live", revision: 1 });
});

it("remembers that a code is unknown", async () => {
  expect(await read()).toEqual({ state: "unknown" });
  expect(memory.unknownCodes.has(code)).toBe(true);
});

it("does not remember it when changes were read while the answer was on its way", async () => {
  const { reading } = await readHeld();
  await database.insertLink(code);
  learn(1);
  tail.pagesRead++;
  wire.release();
  expect(await reading).toEqual({ state: "unknown" });
  expect(memory.unknownCodes.has(code)).toBe(false);
});

it("does not remember it before the tail has caught up, which passes what was made until then", async () => {
  tail.hasCaughtUp = false;
  expect(await read()).toEqual({ state: "unknown" });
  expect(memory.unknownCodes.has(code)).toBe(false);
});

it("takes a link to no store for unknown, and remembers that too", async () => {
  await database.insertLink(code, { web_url: "https://evil.example/" });
  expect(await read()).toEqual({ state: "unknown" });
  expect(memory.unknownCodes.has(code)).toBe(true);
  expect(put.get(code)).toBeUndefined();
});

it("does not wait longer than the deadline", async () => {
  wire.holdResponses();
  const reading = readPostgres({ ...needs(), deadlineMs: 50 }, code);
  expect(await reading).toEqual({ state: "unavailable" });
  wire.release();
});
