import { EARNINGS_FILE_MAX_BYTES, EARNINGS_ROWS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { expect, it, vi } from "vitest";
import { addFile, addReportUser, importOf, readAll, reportsOf, storeFile, zipOf } from "./testing/test-reports.ts";
import { stopWorker, type TestServers, useTestWorkers } from "./testing/test-workers.ts";

const WAIT_OPTIONS = { timeout: 800_000, interval: 20 };

interface Crashes {
  heapMb?: number;
  arrange(servers: TestServers): Promise<unknown>;
  killedWhen: ((servers: TestServers) => unknown)[];
  afterKill(servers: TestServers): unknown;
  ends(servers: TestServers): unknown;
  check(servers: TestServers): unknown;
}

/** Rows of which hardly two agree in day, tracking id and product. */
function reportOf(rowCount: number, fees: number): Uint8Array {
  const lines = Array.from({ length: rowCount }, (_, index) => {
    const asin = `B${String(index % 9_973).padStart(9, "0")}`;
    const day = String(1 + (index % 30)).padStart(2, "0");
    const name = `"Product ${index % 9_973}, with a name of usual length, ${index % 7} pieces, for outdoors"`;
    return `Kitchen,${name},${asin},Amazon,tag${index % 11}-21,2026-09-${day},12.99,1,0,12.99,${(fees / 100).toFixed(2)},Phone,Direct`;
  });
  const title = "Fee-Earnings reports from 2026-09-01 to 2026-09-30";
  const headings =
    "Category,Name,ASIN,Seller,Tracking ID,Date Shipped,Price(€),Items Shipped,Returns,Revenue(€),Ad Fees(€),Device Type Group,Direct";
  return zipOf({ "Fee-Earnings.csv": [title, headings, ...lines, ""].join("\n") });
}

const EARLIER = { earnings: 50_000, shipped: 1_000 };
const TOTAL = { earnings: 52 * EARNINGS_ROWS_MAX_COUNT, shipped: EARNINGS_ROWS_MAX_COUNT };
let million: string;

const expectFigures = async ({ database }: TestServers, expected: object) => {
  const sums = `SELECT coalesce(sum(earnings), 0)::int AS earnings, coalesce(sum(shipped), 0)::int AS shipped
    FROM earnings_rows JOIN earnings_reports AS report ON report.id = report_id WHERE days @> day`;
  expect(await database.rows(sums)).toEqual([expected]);
};

/** The worker's own heap has about 40 MB. The file has more than 100 MB, and its rows as objects more than 500 MB. */
const A_MILLION_ROWS: Crashes = {
  heapMb: 128,
  async arrange(servers) {
    const { database } = servers;
    const userId = await addReportUser(database);
    const before = await addFile(database, reportOf(1_000, 50), { userId, marketplace: "de" });
    await readAll(database, before);
    await storeFile(database, before);
    const zip = reportOf(EARNINGS_ROWS_MAX_COUNT, 52);
    expect(zip.length).toBeLessThan(EARNINGS_FILE_MAX_BYTES);
    million = await addFile(database, zip, { userId, name: "million.zip", marketplace: "de" });
  },
  killedWhen: [
    async ({ database }) => {
      const [row] = await database.rows("SELECT count(*) FROM earnings_rows");
      expect(Number(row?.count)).toBeGreaterThan(50_000);
    },
  ],
  async afterKill(servers) {
    expect(await importOf(servers.database, million)).toMatchObject({ state: "reading" });
    await expectFigures(servers, EARLIER);
  },
  ends: async ({ database }) =>
    expect(await importOf(database, million)).toMatchObject({ state: "ready", attempts: 1 }),
  async check(servers) {
    await expectFigures(servers, EARLIER);
    const reports = await reportsOf(servers.database, million);
    expect(reports).toMatchObject([{ row_count: EARNINGS_ROWS_MAX_COUNT, sums: TOTAL }]);
    await storeFile(servers.database, million);
    await expectFigures(servers, TOTAL);
  },
};

const workers = useTestWorkers();

it.each([
  ["a million rows are read in a small heap, and the figures before stay until they are replaced", A_MILLION_ROWS],
])(
  "%s, although the worker is killed and Redis emptied",
  async (_, crashes) => {
    const servers = workers.servers();
    const start = () => workers.start(crashes.heapMb);
    await crashes.arrange(servers);
    for (const isReached of crashes.killedWhen) {
      const worker = await start();
      await vi.waitFor(() => isReached(servers), WAIT_OPTIONS);
      await stopWorker(worker, "SIGKILL");
      await crashes.afterKill(servers);
    }
    await servers.redis.flush();
    const last = await start();
    await vi.waitFor(async () => {
      expect(last.exitCode).toBeNull();
      await crashes.ends(servers);
    }, WAIT_OPTIONS);
    await crashes.check(servers);
  },
  1_200_000,
);
