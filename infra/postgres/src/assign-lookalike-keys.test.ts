import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { assignLookalikeKeys } from "./assign-lookalike-keys.ts";
import { createThrowawayDatabase, type ThrowawayDatabase } from "./testing/throwaway-database.ts";

let database: ThrowawayDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createThrowawayDatabase(process.env.TEST_DATABASE_URL ?? "");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(() => client.query("TRUNCATE users RESTART IDENTITY CASCADE"));

/** Inserts users without a key, as a release without this column does. */
async function insertUsers(...names: string[]): Promise<void> {
  for (const name of names) {
    await client.query(
      "INSERT INTO users (username, email, firebase_uid) SELECT $1::text, $1::text, $1::text",
      [name],
    );
  }
}

async function users(): Promise<[string, string | null][]> {
  const { rows } = await client.query("SELECT * FROM users ORDER BY id");
  return rows.map((row) => [row.username, row.username_lookalike_key]);
}

it("assigns keys to the oldest of look-alike users, reports the others and renames no user", async () => {
  await insertUsers("Ada", "grace", "ADA", "a\u200Bda", "Ａda", "Grace ");
  expect(await assignLookalikeKeys(database.url)).toEqual([
    { userId: 3, keyHolderId: 1 },
    { userId: 4, keyHolderId: 1 },
    { userId: 5, keyHolderId: 1 },
    { userId: 6, keyHolderId: 2 },
  ]);
  expect(await users()).toEqual([
    ["Ada", "ada"],
    ["grace", "grace"],
    ["ADA", null],
    ["a\u200Bda", null],
    ["Ａda", null],
    ["Grace ", null],
  ]);
});

it("reports the same users again, and assigns keys to users inserted since", async () => {
  await insertUsers("ada", "Ada");
  const first = await assignLookalikeKeys(database.url);
  await insertUsers("bob");
  expect(await assignLookalikeKeys(database.url)).toEqual(first);
  expect(await users()).toEqual([
    ["ada", "ada"],
    ["Ada", null],
    ["bob", "bob"],
  ]);
});

it("assigns a key once its holder is deleted", async () => {
  await insertUsers("ada", "Ada");
  await assignLookalikeKeys(database.url);
  await client.query("DELETE FROM users WHERE username = 'ada'");
  expect(await assignLookalikeKeys(database.url)).toEqual([]);
  expect(await users()).toEqual([["Ada", "ada"]]);
});

it("finds look-alikes far apart in a large table", async () => {
  await client.query(
    `INSERT INTO users (username, email, firebase_uid)
     SELECT n, n, n FROM (SELECT 'user ' || i AS n FROM generate_series(1, 2500) AS i) AS names`,
  );
  await insertUsers("USER 1");
  expect(await assignLookalikeKeys(database.url)).toEqual([{ userId: 2501, keyHolderId: 1 }]);
  const { rows } = await client.query("SELECT count(username_lookalike_key)::int AS n FROM users");
  expect(rows).toEqual([{ n: 2500 }]);
});

it("leaves a key to a user that the api inserts with it at the same time", async () => {
  await insertUsers("ada");
  const api = new pg.Client({ connectionString: database.url });
  await api.connect();
  await api.query(
    `BEGIN; INSERT INTO users (username, username_lookalike_key, email, firebase_uid)
     VALUES ('ADA', 'ada', 'other', 'other')`,
  );
  const assigning = assignLookalikeKeys(database.url);
  await vi.waitUntil(
    async () =>
      (
        await client.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND query LIKE 'UPDATE users%'`,
        )
      ).rowCount === 1,
    { timeout: 20_000 },
  );
  await api.query("COMMIT");
  await api.end();
  expect(await assigning).toEqual([{ userId: 1, keyHolderId: 2 }]);
});
