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
  [database, redis, receiver] = await Promise.all([createTestDatabase(), createTestRedis(), startTestReceiver()]);
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
  await addWebhook(database, userId, { url: receiver.url, events: ["link.created"] });
  await addOwnLinks(database, userId, { name: "lamp", count: EVENTS });
  receiver.respond = (_event, response) => receiver.received.length <= EVENTS / 2 && response.end();
  const worker = await start();
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(EVENTS / 2 + 4), WAIT_OPTIONS);
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

it("sends one event of each link that became unhealthy, also if the worker was killed in between", async () => {
  const userId = await addUser(database);
  const webhookId = await addWebhook(database, userId, {
    url: receiver.url,
    events: ["link.unhealthy"],
  });
  await addOwnLinks(database, userId, { name: "lamp", count: EVENTS });
  const holder = await database.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM webhooks FOR UPDATE");
  const worker = await start();
  // The worker has changed states, and its insert of an event waits for the row of the webhook.
  await vi.waitFor(async () => {
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'
      AND application_name = 'tapthru-worker' AND query LIKE '%UPDATE link_health%'
      AND datname = current_database()`;
    expect(await database.rows(waiting)).toHaveLength(1);
  }, WAIT_OPTIONS);
  await stopWorker(worker, "SIGKILL");
  await holder.query("COMMIT");
  await start();
  const count = `SELECT count(*)::int, count(DISTINCT link_id)::int AS links,
    count(delivered_at)::int AS delivered FROM webhook_deliveries WHERE webhook_id = ${webhookId}`;
  await vi.waitFor(async () => {
    expect(await database.rows(count)).toEqual([{ count: EVENTS, links: EVENTS, delivered: EVENTS }]);
  }, WAIT_OPTIONS);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(EVENTS);
  for (const event of receiver.received) {
    verify(event);
    expect(event.payload).toMatchObject({
      type: "link.unhealthy",
      data: {
        shortUrl: expect.stringContaining("/l/lamp"),
        health: { state: "tag-missing", previousState: "unknown" },
      },
    });
  }
}, 180_000);
