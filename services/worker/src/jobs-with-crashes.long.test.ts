import { EARNINGS_FILE_MAX_BYTES, EARNINGS_ROWS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { expect, it, vi } from "vitest";
import { verify } from "./testing/test-receiver.ts";
import { addFile, addReportUser, importOf, readAll, reportsOf, storeFile, zipOf } from "./testing/test-reports.ts";
import { addOwnLinks, addUser, addWebhook } from "./testing/test-webhooks.ts";
import { stopWorker, type TestServers, useTestWorkers } from "./testing/test-workers.ts";

const WAIT_OPTIONS = { timeout: 800_000, interval: 20 };
const EVENTS = 150;

interface Crashes {
  /** Of the worker. */
  heapMb?: number;
  arrange(servers: TestServers): Promise<unknown>;
  /** The worker is killed once each of these holds. */
  killedWhen: ((servers: TestServers) => unknown)[];
  afterKill?(servers: TestServers): unknown;
  /** Holds in the end, with another worker, whose Redis was emptied. */
  ends(servers: TestServers): unknown;
  /** What then holds too. */
  check?(servers: TestServers): unknown;
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

/** What counts: sums of the rows of stored reports on their days. */
const expectFigures = async ({ database }: TestServers, expected: object) => {
  const sums = `SELECT coalesce(sum(earnings), 0)::int AS earnings, coalesce(sum(shipped), 0)::int AS shipped
    FROM earnings_rows JOIN earnings_reports AS report ON report.id = report_id WHERE days @> day`;
  expect(await database.rows(sums)).toEqual([expected]);
};

/** The worker's own heap has about 40 MB. The file has more than 100 MB, and its rows as objects more than 500 MB. */
const A_MILLION_ROWS: Crashes = {
  heapMb: 128,
  async arrange(servers) {
    const { database, redis } = servers;
    const userId = await addReportUser(database);
    const before = await addFile(database, reportOf(1_000, 50), { userId, marketplace: "de" });
    await readAll(database, before);
    await storeFile(database, before);
    const zip = reportOf(EARNINGS_ROWS_MAX_COUNT, 52);
    expect(zip.length).toBeLessThan(EARNINGS_FILE_MAX_BYTES);
    million = await addFile(database, zip, { userId, name: "million.zip", marketplace: "de" });
    await redis.jobs.add("read-earnings", { importId: million, read: 0 }, { requestId: null });
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

async function addReader({ database }: TestServers, name: string): Promise<void> {
  const id = await addUser(database, name, true);
  await addOwnLinks(database, id, { name });
  await database.rows(`
    UPDATE link_health SET state = 'product-gone', since = now() - interval '2 days', is_stale = false
    WHERE link_id IN (SELECT id FROM links WHERE user_id = ${id})
  `);
}

const A_WEEKLY_EMAIL: Crashes = {
  async arrange(servers) {
    await addReader(servers, "lamp");
    servers.mailServer.accept = () => new Promise(() => {});
  },
  killedWhen: [({ mailServer }) => expect(mailServer.received).toHaveLength(1)],
  async afterKill(servers) {
    servers.mailServer.accept = () => {};
    // The next worker sends by the ids of users: the email to the first one would be before that to the second one.
    await addReader(servers, "desk");
  },
  ends: ({ mailServer }) =>
    expect(mailServer.received.flatMap(({ to }) => to)).toEqual(["lamp@t.example", "desk@t.example"]),
};

let unconfirmed: string[];

const WEBHOOKS: Crashes = {
  async arrange({ database, receiver }) {
    const userId = await addUser(database);
    await addWebhook(database, userId, { url: receiver.url, events: ["link.created"] });
    await addOwnLinks(database, userId, { name: "lamp", count: EVENTS });
    receiver.respond = (_event, response) => receiver.received.length <= EVENTS / 2 && response.end();
  },
  killedWhen: [({ receiver }) => expect(receiver.received.length).toBeGreaterThanOrEqual(EVENTS / 2 + 4)],
  async afterKill({ database, receiver }) {
    unconfirmed = receiver.received.slice(EVENTS / 2).map(({ id }) => id);
    receiver.respond = (_event, response) => response.end();
    // As after the end of its lease.
    await database.rows("UPDATE webhooks SET leased_until = now()");
  },
  ends: async ({ database }) =>
    expect(await database.rows("SELECT FROM webhook_deliveries WHERE delivered_at IS NULL")).toEqual([]),
  check({ receiver }) {
    const ids = receiver.received.map(({ id }) => id);
    expect(new Set(ids).size).toBe(EVENTS);
    for (const id of unconfirmed) expect(ids.filter((other) => other === id)).toHaveLength(2);
    for (const event of receiver.received) verify(event);
  },
};

const workers = useTestWorkers();

it.each([
  ["a million rows are read in a small heap, and the figures before stay until they are replaced", A_MILLION_ROWS],
  ["an email is not sent again that the server was accepting", A_WEEKLY_EMAIL],
  ["every event is sent, those without a response again", WEBHOOKS],
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
      await crashes.afterKill?.(servers);
    }
    await servers.redis.flush();
    const last = await start();
    await vi.waitFor(async () => {
      expect(last.exitCode).toBeNull();
      await crashes.ends(servers);
    }, WAIT_OPTIONS);
    await crashes.check?.(servers);
  },
  1_200_000,
);
