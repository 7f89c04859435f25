import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(() => api.query("TRUNCATE app_openings, app_opening_tables"));

const PATH = "/api/status/app-opening";

/** A new replica, which has cached nothing. */
async function getStatus(): Promise<{ since: string; rows: unknown[]; tables: unknown[] }> {
  const replica = await startTestApi({}, { replicaOf: api });
  try {
    const response = await replica.request("GET", PATH);
    expect(response.status).toBe(200);
    return (await response.json()) as Awaited<ReturnType<typeof getStatus>>;
  } finally {
    await replica.stop();
  }
}

/** @param daysAgo in UTC */
async function addReports(
  version: string,
  [opened, stayed, unknown]: [number, number, number],
  { daysAgo = 0, table = "2026-11", row = "x-android" } = {},
): Promise<void> {
  await api.query(`
    INSERT INTO app_openings
      (day, table_version, row_id, app, os, app_version, opened, stayed, unknown)
    VALUES ((now() AT TIME ZONE 'UTC')::date - ${daysAgo}, '${table}', '${row}', 'x', 'android',
      '${version}', ${opened}, ${stayed}, ${unknown})
  `);
}

it("adds up days and tables, and counts what did not stay as opened", async () => {
  await addReports("12", [10, 10, 10]);
  await addReports("12", [20, 0, 0], { daysAgo: 1 });
  await addReports("12", [1, 0, 0], { table: "2026-12" });
  expect((await getStatus()).rows).toEqual([
    {
      row: "x-android",
      app: "x",
      os: "android",
      tried: 51,
      opened: 41,
      versions: [{ version: "12", tried: 51, opened: 41 }],
    },
  ]);
});

it("names no version with fewer than 50 reports", async () => {
  await addReports("12", [50, 0, 0]);
  await addReports("13", [49, 0, 0]);
  await addReports("14", [1, 1, 0]);
  await addReports("", [0, 1, 0]);
  expect((await getStatus()).rows).toMatchObject([
    {
      tried: 102,
      versions: [
        { version: "12", tried: 50, opened: 50 },
        { version: null, tried: 52, opened: 50 },
      ],
    },
  ]);
});

it("leaves out rows with fewer than 50 reports, and days before the last 30", async () => {
  await addReports("12", [49, 0, 0]);
  await addReports("12", [99, 0, 0], { daysAgo: 30, row: "old" });
  await addReports("12", [50, 0, 0], { daysAgo: 29, row: "first-day" });
  const { since, rows } = await getStatus();
  expect(rows).toMatchObject([{ row: "first-day" }]);
  expect(Date.now() - Date.parse(since)).toBeLessThan(30 * 86_400_000 + 60_000);
});

it("has the versions of the table, the newest first", async () => {
  await api.query(`INSERT INTO app_opening_tables VALUES
    ('2026-10', '2026-10-01', '2026-11-02'), ('2026-11', '2026-11-02', '2026-11-22')`);
  expect((await getStatus()).tables).toEqual([
    { version: "2026-11", firstDay: "2026-11-02", lastDay: "2026-11-22" },
    { version: "2026-10", firstDay: "2026-10-01", lastDay: "2026-11-02" },
  ]);
});

it("is the same for a minute, so that requests do not reach Postgres", async () => {
  const replica = await startTestApi({}, { replicaOf: api });
  const get = async () => (await replica.request("GET", PATH)).json();
  const first = await get();
  await addReports("12", [50, 0, 0]);
  expect(await get()).toEqual(first);
  await replica.stop();
});
