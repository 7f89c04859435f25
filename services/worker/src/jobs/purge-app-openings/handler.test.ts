import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { purgeAppOpenings } from "./handler.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("deletes the outcomes of months before the kept ones, and no others", async () => {
  await database.rows(`
    INSERT INTO app_openings
      (day, table_version, row_id, app, os, app_version, opened, stayed, unknown)
    SELECT day::date, '2026', 'x-ios', 'x', 'ios', '', 1, 0, 0
    FROM unnest(ARRAY['2026-08-31', '2026-09-01', '2026-11-22']) AS day
  `);
  const now = Date.parse("2026-11-22T12:00:00Z");
  await purgeAppOpenings({ db: database.db, clickRetention: { keptMonths: 2 } }, now);
  expect(await database.rows("SELECT day::text FROM app_openings ORDER BY day")).toEqual([
    { day: "2026-09-01" },
    { day: "2026-11-22" },
  ]);
});
