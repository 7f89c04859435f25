import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { beforeEach, expect, it, vi } from "vitest";
import type { TestDatabase } from "./testing/test-database.ts";
import { addImport, importLines } from "./testing/test-imports.ts";
import type { TestRedis } from "./testing/test-redis.ts";
import { stopWorker } from "./testing/test-worker.ts";
import { useTestWorkers } from "./testing/test-workers.ts";

const TEST_TIMEOUT_MS = 540_000;
const WAIT_OPTIONS = { timeout: 240_000, interval: 50 };

const { servers, start } = useTestWorkers();
let database: TestDatabase;
let redis: TestRedis;
beforeEach(() => {
  ({ database, redis } = servers());
  servers().store.respondToAll("A lamp");
});

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
    await vi.waitFor(async () => expect(await importRow()).toMatchObject({ state: "finished" }), WAIT_OPTIONS);

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
