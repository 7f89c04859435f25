import { beforeEach, expect, it } from "vitest";
import { startTestApi } from "../testing/test-api.ts";
import { startApi } from "../testing/world.ts";
import { cached } from "./status.ts";

const api = await startApi();
beforeEach(() => api.query("TRUNCATE app_openings"));

const PATH = "/api/status/app-opening";

async function getStatus(): Promise<{ since: string; rows: unknown[] }> {
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
  [opened, stayed, unknown]: [number, number, number],
  { daysAgo = 0, row = "x-android" } = {},
): Promise<void> {
  await api.query(`
    INSERT INTO app_openings (day, row_id, app, os, opened, stayed, unknown)
    VALUES ((now() AT TIME ZONE 'UTC')::date - ${daysAgo}, '${row}', 'x', 'android',
      ${opened}, ${stayed}, ${unknown})
  `);
}

const LIFETIME_MS = 1_000;

function createCounter() {
  let time = 0;
  let count = 0;
  const read = cached(
    LIFETIME_MS,
    async () => {
      count++;
      if (count === 1) throw new Error("unavailable");
      return count;
    },
    () => time,
  );
  return { read, passTime: (ms: number) => (time += ms) };
}

it("adds up days, counts what did not stay as opened, and has most reports first", async () => {
  await addReports([10, 10, 10]);
  await addReports([20, 0, 1], { daysAgo: 1 });
  await addReports([52, 0, 0], { row: "line-android" });
  const x = { app: "x", os: "android" };
  expect((await getStatus()).rows).toEqual([
    { ...x, row: "line-android", tried: 52, opened: 52 },
    { ...x, row: "x-android", tried: 51, opened: 41 },
  ]);
});

it("leaves out rows with fewer than 50 reports, and days before the last 30", async () => {
  await addReports([49, 0, 0]);
  await addReports([99, 0, 0], { daysAgo: 30, row: "old" });
  await addReports([50, 0, 0], { daysAgo: 29, row: "first-day" });
  const { since, rows } = await getStatus();
  expect(rows).toMatchObject([{ row: "first-day" }]);
  expect(Date.now() - Date.parse(since)).toBeLessThan(30 * 86_400_000 + 60_000);
});

it("reads once for calls at the same time and until the lifetime ends, and again after a failure", async () => {
  const { read, passTime } = createCounter();
  await expect(read()).rejects.toThrow("unavailable");
  expect(await Promise.all([read(), read()])).toEqual([2, 2]);
  passTime(LIFETIME_MS - 1);
  expect(await read()).toBe(2);
  passTime(1);
  expect(await read()).toBe(3);
});
