import { beforeEach, expect, it, vi } from "vitest";
import { addLinks, type TestDatabase } from "./testing/test-database.ts";
import type { TestRedis } from "./testing/test-redis.ts";
import type { TestStore } from "./testing/test-store.ts";
import { stopWorker, useTestWorkers } from "./testing/test-workers.ts";

const PAGE = "https://www.amazon.com/dp/B08N5WRWNW";
const WAIT_OPTIONS = { timeout: 300_000, interval: 50 };

const { servers, start } = useTestWorkers();
let database: TestDatabase;
let redis: TestRedis;
let store: TestStore;
beforeEach(() => {
  ({ database, redis, store } = servers());
});

async function commitLinks(name: string, count = 1): Promise<void> {
  await database.rows(
    `INSERT INTO products (canonical_url, marketplace, product_id)
     VALUES ($1, 'com', 'B08N5WRWNW') ON CONFLICT DO NOTHING`,
    [PAGE],
  );
  await addLinks(database, { name, count, page: PAGE });
}

const products = () => database.rows("SELECT title, attempts FROM products");
const isRequested = (times: number) => vi.waitFor(() => expect(store.requests).toHaveLength(times), WAIT_OPTIONS);
const hasTitle = (code: string, title: string) =>
  vi.waitFor(async () => expect(await redis.redirectStore.get(code)).toMatchObject({ title }), WAIT_OPTIONS);

it("completes the work for a link whose api process died after COMMIT", async () => {
  await start();
  store.respondToAll("A lamp");
  await commitLinks("new", 30);
  for (let i = 1; i <= 30; i++) await hasTitle(`new${i}`, "A lamp");
  expect(store.requests).toHaveLength(1);
  expect(await products()).toEqual([{ title: "A lamp", attempts: 0 }]);
}, 600_000);

it("restores the records after Redis lost all data, and reads the pending pages", async () => {
  await commitLinks("old");
  await database.rows("UPDATE link_changes SET projected_at = now()");
  store.respondToAll("A lamp");
  await start();
  await hasTitle("old1", "A lamp");
  expect(store.requests).toHaveLength(1);
}, 600_000);

it("a page read whose worker is killed repeatedly completes once, and never fails", async () => {
  await commitLinks("new");
  for (let kills = 1; kills <= 3; kills++) {
    const worker = await start();
    await isRequested(kills);
    await stopWorker(worker, "SIGKILL");
  }
  store.respondToAll("A lamp");
  await start();
  await hasTitle("new1", "A lamp");
  expect(await products()).toEqual([{ title: "A lamp", attempts: 0 }]);
  expect(await redis.redis.run((client) => client.zcard("jobs:scrape-metadata:failed"))).toBe(0);
}, 600_000);

it("a page read whose worker hangs is completed by another worker, and is not overwritten when the first one resumes", async () => {
  await commitLinks("new");
  const frozen = await start();
  await isRequested(1);
  frozen.kill("SIGSTOP");
  await start();
  await isRequested(2);
  store.respond(store.requests[1], "A lamp");
  await hasTitle("new1", "A lamp");
  store.respond(store.requests[0], "An older lamp");
  frozen.kill("SIGCONT");
  expect(await stopWorker(frozen, "SIGTERM")).toBe(0);
  expect(await products()).toEqual([{ title: "A lamp", attempts: 0 }]);
}, 600_000);

it("a page read is requeued when the worker stops, without using up an attempt", async () => {
  await commitLinks("new");
  const worker = await start();
  await isRequested(1);
  expect(await stopWorker(worker, "SIGTERM")).toBe(0);
  expect(await products()).toEqual([{ title: null, attempts: 0 }]);
  expect(await redis.waiting("scrape-metadata")).toEqual([{ canonicalUrl: PAGE, attempt: 0 }]);
  store.respondToAll("A lamp");
  await start();
  await hasTitle("new1", "A lamp");
}, 600_000);
