import type { ChildProcess } from "node:child_process";
import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { addImport, importLines } from "./testing/test-imports.ts";
import { createTestRedis, type TestRedis } from "./testing/test-redis.ts";
import { startTestStore, type TestStore } from "./testing/test-store.ts";
import { startWorker, stopWorker } from "./testing/test-worker.ts";

const TEST_TIMEOUT_MS = 540_000;
const WAIT_OPTIONS = { timeout: 240_000, interval: 50 };

let database: TestDatabase;
let redis: TestRedis;
let store: TestStore;
const running: ChildProcess[] = [];

beforeEach(async () => {
  [database, redis, store] = await Promise.all([
    createTestDatabase(),
    createTestRedis(),
    startTestStore(),
  ]);
  store.respondToAll("A lamp");
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => stopWorker(worker, "SIGKILL")));
  store.stop();
  await Promise.all([database.drop(), redis.remove()]);
});

async function start(): Promise<ChildProcess> {
  const worker = await startWorker({
    databaseUrl: database.url,
    redisUrl: redis.server.url,
    storeUrl: store.url,
  });
  running.push(worker);
  return worker;
}

const importRow = async () => (await database.rows("SELECT * FROM imports"))[0];
const hasCreated = (count: number) =>
  vi.waitFor(async () => {
    expect(Number((await importRow())?.created_count)).toBeGreaterThanOrEqual(count);
  }, WAIT_OPTIONS);

it(
  "creates each of 10,000 links once, although its worker is killed twice and Redis loses the job",
  async () => {
    const id = await addImport(database, importLines(IMPORT_LINES_MAX_COUNT));
    await redis.jobs.add("run-import", { importId: id }, { requestId: null });
    for (const created of [1_000, 4_000]) {
      const worker = await start();
      await hasCreated(created);
      await stopWorker(worker, "SIGKILL");
      expect(await importRow()).toMatchObject({ state: "running" });
    }
    await redis.flush();
    await start();
    await vi.waitFor(
      async () => expect(await importRow()).toMatchObject({ state: "finished" }),
      WAIT_OPTIONS,
    );

    const total = IMPORT_LINES_MAX_COUNT;
    expect(await importRow()).toMatchObject({ created_count: total, replaced_count: 0 });
    const [counts] = await database.rows(
      `SELECT count(*)::int AS links, count(DISTINCT short_code)::int AS codes,
         (SELECT count(*)::int FROM link_changes WHERE revision = 1) AS changes,
         (SELECT count(*)::int FROM import_lines JOIN links USING (short_code)
          WHERE state = 'created' AND slug = short_code AND links.web_url = import_lines.url) AS same
       FROM links`,
    );
    expect(counts).toEqual({ links: total, codes: total, changes: total, same: total });
    await vi.waitFor(async () => {
      const record = await redis.redirectStore.get(`lamp-${total}`);
      expect(record).toMatchObject({ state: "live" });
    }, WAIT_OPTIONS);
  },
  TEST_TIMEOUT_MS,
);
