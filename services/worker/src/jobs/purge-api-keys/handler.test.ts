import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { purgeApiKeys } from "./handler.ts";

const notAborted = new AbortController().signal;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  await database.rows("INSERT INTO users (username, email, firebase_uid) VALUES ('a', 'a', 'a')");
});

async function addKeys(count: number, expiresAt: string | null): Promise<void> {
  await database.rows(
    `INSERT INTO api_keys (user_id, name, key_hash, start, scopes, expires_at)
     SELECT users.id, coalesce($2, 'never'), sha256((coalesce($2, '') || n)::bytea), 'tt_aaaa', '{links:read}',
       now() + $2::interval
     FROM users, generate_series(1, $1) n`,
    [count, expiresAt],
  );
}

const remaining = () => database.rows("SELECT name FROM api_keys ORDER BY name");

it("deletes keys that expired more than 30 days ago, and no others", async () => {
  await addKeys(2, "-31 days");
  await addKeys(1, "-29 days");
  await addKeys(1, "1 day");
  await addKeys(1, null);
  await purgeApiKeys(database, notAborted);
  expect(await remaining()).toEqual([{ name: "-29 days" }, { name: "1 day" }, { name: "never" }]);
});

it("deletes more than one batch", async () => {
  await addKeys(1_500, "-1 year");
  await purgeApiKeys(database, notAborted);
  expect(await remaining()).toEqual([]);
});
