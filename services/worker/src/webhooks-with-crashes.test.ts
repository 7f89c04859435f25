import type { ChildProcess } from "node:child_process";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { startTestReceiver, type TestReceiver, verify } from "./testing/test-receiver.ts";
import { createTestRedis, type TestRedis } from "./testing/test-redis.ts";
import { addOwnLinks, addUser, addWebhook } from "./testing/test-webhooks.ts";
import { startWorker, stopWorker } from "./testing/test-worker.ts";

const WAIT_OPTIONS = { timeout: 60_000, interval: 50 };
const EVENTS = 150;

let database: TestDatabase;
let redis: TestRedis;
let receiver: TestReceiver;
const running: ChildProcess[] = [];

beforeEach(async () => {
  [database, redis, receiver] = await Promise.all([
    createTestDatabase(),
    createTestRedis(),
    startTestReceiver(),
  ]);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => stopWorker(worker, "SIGKILL")));
  receiver.stop();
  await Promise.all([database.drop(), redis.remove()]);
});

async function start(): Promise<ChildProcess> {
  const worker = await startWorker({
    databaseUrl: database.url,
    redisUrl: redis.server.url,
    storeUrl: receiver.url,
  });
  running.push(worker);
  return worker;
}

it("sends every event, also those whose worker was killed while the receiver responded", async () => {
  const userId = await addUser(database);
  await addWebhook(database, userId, { url: receiver.url });
  await addOwnLinks(database, userId, { name: "lamp", count: EVENTS });
  receiver.respond = (_event, response) => receiver.received.length <= EVENTS / 2 && response.end();
  const worker = await start();
  await vi.waitFor(
    () => expect(receiver.received.length).toBeGreaterThanOrEqual(EVENTS / 2 + 4),
    WAIT_OPTIONS,
  );
  await stopWorker(worker, "SIGKILL");
  const unconfirmed = receiver.received.slice(EVENTS / 2).map(({ id }) => id);
  // As after the end of its lease.
  await database.rows("UPDATE webhooks SET leased_until = now()");
  receiver.respond = (_event, response) => response.end();
  await start();
  await vi.waitFor(async () => {
    const pending = "SELECT FROM webhook_deliveries WHERE delivered_at IS NULL";
    expect(await database.rows(pending)).toEqual([]);
  }, WAIT_OPTIONS);
  const ids = receiver.received.map(({ id }) => id);
  expect(new Set(ids).size).toBe(EVENTS);
  for (const id of unconfirmed) expect(ids.filter((other) => other === id)).toHaveLength(2);
  for (const event of receiver.received) verify(event);
}, 180_000);
