import { waitForBlockedStatement } from "@tapthru/postgres/testing/blocked-statement";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addLinks, createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { purgeReports } from "./handler.ts";

const notAborted = new AbortController().signal;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

/** Adds `count` links whose last report has this age. */
async function addReported(name: string, count: number, age: string): Promise<void> {
  await addLinks(database, { name, count });
  await database.rows(
    `INSERT INTO reports (short_code, reason, first_reported_at, last_reported_at)
     SELECT short_code, 'spam', now() - interval '1 year', now() - $2::interval
     FROM links WHERE short_code LIKE $1 || '%'`,
    [name, age],
  );
}

const remaining = () => database.rows("SELECT short_code FROM reports ORDER BY short_code");

it("deletes reports that were not repeated for 90 days, and no others", async () => {
  await addReported("old", 2, "91 days");
  await addReported("new", 1, "89 days");
  await purgeReports(database, notAborted);
  expect(await remaining()).toEqual([{ short_code: "new1" }]);
});

it("deletes in batches, even if two purges run at once", async () => {
  await addReported("old", 2_500, "1 year");
  await Promise.all([1, 2].map(() => purgeReports(database, notAborted)));
  await purgeReports(database, notAborted);
  expect(await remaining()).toEqual([]);
});

it("keeps a report that is repeated during the purge", async () => {
  await addReported("old", 1, "1 year");
  const visitor = await database.connect();
  await visitor.query("BEGIN");
  await visitor.query("UPDATE reports SET last_reported_at = now()");
  const purge = purgeReports(database, notAborted);
  await waitForBlockedStatement(async (query) => (await visitor.query(query)).rows);
  await visitor.query("COMMIT");
  await purge;
  expect(await remaining()).toHaveLength(1);
});

it("stops when it is aborted", async () => {
  await addReported("old", 1, "1 year");
  await purgeReports(database, AbortSignal.abort());
  expect(await remaining()).toHaveLength(1);
});
