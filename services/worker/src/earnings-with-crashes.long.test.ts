import { EARNINGS_FILE_MAX_BYTES, EARNINGS_ROWS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { beforeEach, expect, it, vi } from "vitest";
import type { TestDatabase } from "./testing/test-database.ts";
import type { TestRedis } from "./testing/test-redis.ts";
import { addFile, addReportUser, importOf, readAll, reportsOf, storeFile, zipOf } from "./testing/test-reports.ts";
import { stopWorker } from "./testing/test-worker.ts";
import { useTestWorkers } from "./testing/test-workers.ts";

const TEST_TIMEOUT_MS = 1_200_000;
const WAIT_OPTIONS = { timeout: 800_000, interval: 500 };
/** The worker's own heap has about 40 MB. The file has more than 100 MB, and its rows as objects more than 500 MB. */
const HEAP_MB = 128;

const { servers, start } = useTestWorkers({ heapMb: HEAP_MB });
let database: TestDatabase;
let redis: TestRedis;
beforeEach(() => {
  ({ database, redis } = servers());
});

const HEADINGS =
  "Category,Name,ASIN,Seller,Tracking ID,Date Shipped,Price(€),Items Shipped,Returns,Revenue(€),Ad Fees(€),Device Type Group,Direct";

/** Rows of which hardly two agree in day, tracking id and product. */
function fileOf(rowCount: number, fees: number): Uint8Array {
  const lines = Array.from({ length: rowCount }, (_, index) => {
    const asin = `B${String(index % 9_973).padStart(9, "0")}`;
    const day = String(1 + (index % 30)).padStart(2, "0");
    const name = `"Product ${index % 9_973}, with a name of usual length, ${index % 7} pieces, for outdoors"`;
    return `Kitchen,${name},${asin},Amazon,tag${index % 11}-21,2026-09-${day},12.99,1,0,12.99,${(fees / 100).toFixed(2)},Phone,Direct`;
  });
  const title = "Fee-Earnings reports from 2026-09-01 to 2026-09-30";
  return zipOf({ "Fee-Earnings.csv": [title, HEADINGS, ...lines, ""].join("\n") });
}

/** What counts: sums of the rows of stored reports on their days. */
const figures = async () =>
  (
    await database.rows(
      `SELECT coalesce(sum(earnings), 0)::int AS earnings, coalesce(sum(shipped), 0)::int AS shipped
       FROM earnings_rows JOIN earnings_reports AS report ON report.id = report_id WHERE days @> day`,
    )
  )[0];
const countRows = async () => Number((await database.rows("SELECT count(*) FROM earnings_rows"))[0]?.count);

it(
  "reads a million rows in a small heap, although its worker is killed, and the figures before stay until they are replaced",
  async () => {
    const userId = await addReportUser(database);
    const before = await addFile(database, fileOf(1_000, 50), { userId, marketplace: "de" });
    await readAll(database, before);
    await storeFile(database, before);
    const earlier = { earnings: 50_000, shipped: 1_000 };
    expect(await figures()).toEqual(earlier);

    const zip = fileOf(EARNINGS_ROWS_MAX_COUNT, 52);
    expect(zip.length).toBeLessThan(EARNINGS_FILE_MAX_BYTES);
    const id = await addFile(database, zip, { userId, name: "million.zip", marketplace: "de" });
    const worker = await start();
    await redis.jobs.add("read-earnings", { importId: id, read: 0 }, { requestId: null });
    await vi.waitFor(async () => expect(await countRows()).toBeGreaterThan(50_000), WAIT_OPTIONS);
    await stopWorker(worker, "SIGKILL");
    expect(await importOf(database, id)).toMatchObject({ state: "reading" });
    expect(await figures()).toEqual(earlier);

    await redis.flush();
    const second = await start();
    await vi.waitFor(async () => {
      expect(second.exitCode).toBeNull();
      expect(await importOf(database, id)).toMatchObject({ state: "ready", attempts: 1 });
    }, WAIT_OPTIONS);
    expect(await figures()).toEqual(earlier);
    const total = { earnings: 52 * EARNINGS_ROWS_MAX_COUNT, shipped: EARNINGS_ROWS_MAX_COUNT };
    expect(await reportsOf(database, id)).toMatchObject([{ row_count: EARNINGS_ROWS_MAX_COUNT, sums: total }]);

    await storeFile(database, id);
    expect(await figures()).toEqual(total);
  },
  TEST_TIMEOUT_MS,
);
