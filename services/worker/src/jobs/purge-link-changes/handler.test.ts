import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addLinks, createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { purgeLinkChanges } from "./handler.ts";

const notAborted = new AbortController().signal;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

async function addChanges(name: string, count: number, projectedIn: string | null): Promise<void> {
  await addLinks(database, { name, count });
  await database.rows(
    "UPDATE link_changes SET projected_at = now() + $2::interval WHERE short_code LIKE $1 || '%'",
    [name, projectedIn],
  );
}

const remaining = () => database.rows("SELECT short_code FROM link_changes ORDER BY id");

it("deletes rows that were projected over an hour ago, and no others", async () => {
  await addChanges("old", 2, "-61 minutes");
  await addChanges("kept", 1, "-59 minutes");
  await addChanges("waiting", 1, null);
  await database.rows("UPDATE link_changes SET created_at = now() - interval '2 days'");
  await purgeLinkChanges(database, notAborted);
  expect(await remaining()).toEqual([{ short_code: "kept1" }, { short_code: "waiting1" }]);
});

it("deletes in batches, even when two jobs run concurrently", async () => {
  await addChanges("old", 2_500, "-2 hours");
  await Promise.all([1, 2].map(() => purgeLinkChanges(database, notAborted)));
  await purgeLinkChanges(database, notAborted);
  expect(await remaining()).toEqual([]);
});

it("stops when it is aborted", async () => {
  await addChanges("old", 1, "-2 hours");
  await purgeLinkChanges(database, AbortSignal.abort());
  expect(await remaining()).toHaveLength(1);
});
