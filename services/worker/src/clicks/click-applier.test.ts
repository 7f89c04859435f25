import { randomUUID } from "node:crypto";
import type { Component } from "@tapthru/core/platform/lifecycle";
import { PostgresTimeoutError, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { addBatch, encodeBatch, readEntries } from "@tapthru/core/platform/redis/click-stream";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { CLICK_STREAM, CLICKS_SET_ASIDE, type ClickBatch } from "@tapthru/proto/clicks/batch";
import { quarterAt } from "@tapthru/proto/clicks/quarters";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addLinks, useDatabase } from "../testing/test-database.ts";
import { useRedis } from "../testing/test-redis.ts";
import { createPostgresClickWriter } from "./apply-batches.ts";
import { createClickApplier } from "./click-applier.ts";

const WAIT_OPTIONS = { timeout: 60_000, interval: 50 };
const CODE = "abcdef2";

const database = await useDatabase("clicks", "click_batches");
const redis = await useRedis();
const running: Component[] = [];

beforeEach(async () => {
  await addLinks(database, { name: "abcdef", count: 2 });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((applier) => applier.stop?.()));
});

async function start(deps: Partial<Parameters<typeof createClickApplier>[0]> = {}) {
  const { logger, lines } = createTestLogger();
  const applier = createClickApplier({
    db: database.db,
    clickWriter: createPostgresClickWriter(database.db),
    queue: redis.redis,
    setClickLag: () => {},
    logger,
    ...deps,
  });
  running.push(applier);
  await applier.start?.();
  return lines;
}

function batch(): ClickBatch {
  const clicks = { shortCode: CODE, quarter: quarterAt(Date.now()), counts: { p: 1 }, visitors: [] };
  return { id: randomUUID(), links: [clicks], outcomes: [] };
}

async function send(...batches: ClickBatch[]): Promise<void> {
  for (const each of batches) await addBatch(redis.redis, await encodeBatch(each));
}

async function people(): Promise<number> {
  const rows = await database.rows("SELECT counts ->> 'p' AS people FROM clicks");
  return rows.reduce((sum, { people: text }) => sum + Number(String(text).split(":")[1] ?? 1), 0);
}

const isCounted = (count: number) => vi.waitFor(async () => expect(await people()).toBe(count), WAIT_OPTIONS);
async function setAside(): Promise<(string | undefined)[]> {
  const entries = await redis.redis.run((client) => client.xrange(CLICKS_SET_ASIDE, "-", "+"));
  return entries.map(([, fields]) => fields[1]);
}

const isEmpty = () =>
  vi.waitFor(async () => expect(await redis.redis.run((client) => client.xlen(CLICK_STREAM))).toBe(0), WAIT_OPTIONS);

it("applies what redirects sent before and after its start, and empties the queue", async () => {
  await send(...Array.from({ length: 50 }, batch));
  await start();
  await isCounted(50);
  await send(batch());
  await isCounted(51);
  await isEmpty();
});

it("applies the batches of a worker that died after reading them", async () => {
  await send(batch(), batch());
  await redis.redis.run((client) => readEntries(client, 10));
  await start();
  await isCounted(2);
  await isEmpty();
});

it("keeps batches while Postgres is unavailable, and applies them afterwards", async () => {
  let isAvailable = false;
  const transaction: typeof database.db.transaction = (handler) =>
    isAvailable ? database.db.transaction(handler) : Promise.reject(new PostgresUnavailableError("stopped"));
  await send(batch(), batch());
  await start({ clickWriter: createPostgresClickWriter({ transaction }) });
  await send(batch());
  expect(await redis.redis.run((client) => client.xlen(CLICK_STREAM))).toBe(3);
  isAvailable = true;
  await isCounted(3);
  await isEmpty();
});

it("continues after Redis has lost its data, and sets entries aside that are not batches", async () => {
  const lines = await start();
  await send(batch());
  await isCounted(1);
  await redis.flush();
  const entryId = await redis.redis.run((client) => client.xadd(CLICK_STREAM, "*", "batch", "x", "clicks", "1"));
  await send(batch());
  await isCounted(2);
  await isEmpty();
  expect(lines).toContainEqual(expect.objectContaining({ event: "click_batch_invalid", entryId }));
  expect(await setAside()).toEqual(["x"]);
});

it("sets an entry that is not a batch aside once, and no batch, while the store fails", async () => {
  let isBroken = true;
  const store = createPostgresClickWriter(database.db);
  const apply: typeof store.apply = async (batches) => {
    if (isBroken) throw new Error("no partition");
    return store.apply(batches);
  };
  await redis.redis.run((client) => client.xadd(CLICK_STREAM, "*", "batch", "x", "clicks", "1"));
  await send(batch(), batch());
  const lines = await start({ clickWriter: { ...store, apply } });
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(5), WAIT_OPTIONS);
  expect(await setAside()).toEqual(["x"]);
  isBroken = false;
  await isCounted(2);
  await isEmpty();
  expect(await setAside()).toEqual(["x"]);
});

it("sets a batch aside that the store cannot apply, as soon as it applies another one", async () => {
  const poison = batch();
  const store = createPostgresClickWriter(database.db);
  const apply: typeof store.apply = async (batches) => {
    if (batches.some(({ id }) => id === poison.id)) throw new Error("out of range");
    return store.apply(batches);
  };
  await send(poison);
  const lines = await start({ clickWriter: { ...store, apply } });
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(3), WAIT_OPTIONS);
  expect(await setAside()).toEqual([]);
  await send(batch());
  await isCounted(1);
  await isEmpty();
  expect(await setAside()).toEqual([(await encodeBatch(poison)).text]);
  expect(lines.at(-1)).toMatchObject({
    event: "click_batch_invalid",
    entryId: expect.any(String),
    issues: ["Error: out of range"],
  });
});

it("a batch that always takes too long does not hold up others, and is set aside after six attempts", async () => {
  const poison = batch();
  const store = createPostgresClickWriter(database.db);
  let attempts = 0;
  const apply: typeof store.apply = async (batches) => {
    if (batches.every(({ id }) => id !== poison.id)) return store.apply(batches);
    attempts++;
    throw new PostgresTimeoutError("too long");
  };
  await send(poison, batch());
  await start({ clickWriter: { ...store, apply } });
  await isCounted(1);
  await isEmpty();
  expect(await setAside()).toEqual([(await encodeBatch(poison)).text]);
  expect(attempts).toBe(7);
});

it("stores the time until which clicks are complete", async () => {
  await database.rows("UPDATE click_progress SET complete_until = 'epoch'");
  await start();
  await vi.waitFor(async () => {
    const [row] = await database.rows(
      "SELECT complete_until > now() - interval '10 seconds' AND complete_until < now() AS is_recent FROM click_progress",
    );
    expect(row).toEqual({ is_recent: true });
  }, WAIT_OPTIONS);
});

it("drops the oldest batches when the queue is full", async () => {
  const [first, second, third] = [batch(), batch(), batch()];
  const size = (await encodeBatch(first)).text.length;
  const add = async (each: ClickBatch) => addBatch(redis.redis, await encodeBatch(each), Math.round(size * 2.5));
  expect([await add(first), await add(second), await add(third)]).toEqual([0, 0, 1]);
  expect(await redis.redis.run((client) => client.xlen(CLICK_STREAM))).toBe(2);
});
