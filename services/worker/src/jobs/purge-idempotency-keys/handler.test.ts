import { waitForBlockedStatement } from "@tapthru/postgres/testing/blocked-statement";
import type { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { purgeIdempotencyKeys } from "./handler.ts";

let database: TestDatabase;
let db: TestDatabase["db"];
let superuser: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  superuser = await database.connect();
});
afterAll(() => database.drop());

/** One link with `count` keys and creates of the given age. */
async function addKeysAndCreates(count: number, age: string): Promise<void> {
  await superuser.query(
    `INSERT INTO links (original_url, deep_link, web_url, short_code)
     VALUES ('x', 'https://t.example/redirect?product_id=x', 'https://amazon.com/', 'aaaaaaa')
     ON CONFLICT DO NOTHING`,
  );
  await superuser.query(
    `INSERT INTO idempotency_keys (key_hash, request_hash, short_code, created_at)
     SELECT sha256(($2 || n)::bytea), '', 'aaaaaaa', now() - $2::interval
     FROM generate_series(1, $1) n`,
    [count, age],
  );
  await superuser.query(
    `INSERT INTO recent_creates (visitor_key, address_hash, short_code, created_at)
     SELECT sha256(($2 || n)::bytea), '', 'aaaaaaa', now() - $2::interval
     FROM generate_series(1, $1) n`,
    [count, age],
  );
}

async function countRemaining(): Promise<{ keys: number; creates: number }> {
  const { rows } = await superuser.query(
    `SELECT (SELECT count(*)::int FROM idempotency_keys) AS keys,
       (SELECT count(*)::int FROM recent_creates) AS creates`,
  );
  return rows[0];
}

beforeEach(() => database.empty());

const notAborted = new AbortController().signal;

it("deletes keys after a day and repeated creates after ten minutes", async () => {
  await addKeysAndCreates(3, "23 hours");
  await addKeysAndCreates(4, "25 hours");
  await addKeysAndCreates(5, "9 minutes");
  await purgeIdempotencyKeys({ db }, notAborted);
  expect(await countRemaining()).toEqual({ keys: 8, creates: 5 });
});

it("deletes more than one batch", async () => {
  await addKeysAndCreates(2_500, "2 days");
  await purgeIdempotencyKeys({ db }, notAborted);
  expect(await countRemaining()).toEqual({ keys: 0, creates: 0 });
});

it("is safe if two run at once", async () => {
  await addKeysAndCreates(1_500, "2 days");
  await addKeysAndCreates(2, "1 minute");
  await Promise.all([1, 2].map(() => purgeIdempotencyKeys({ db }, notAborted)));
  await purgeIdempotencyKeys({ db }, notAborted);
  expect(await countRemaining()).toEqual({ keys: 2, creates: 2 });
});

it("keeps a create that is repeated during the purge", async () => {
  await addKeysAndCreates(1, "2 days");
  await superuser.query("BEGIN");
  await superuser.query("UPDATE recent_creates SET created_at = now()");
  const purge = purgeIdempotencyKeys({ db }, notAborted);
  await waitForBlockedStatement(async (query) => (await superuser.query(query)).rows);
  await superuser.query("COMMIT");
  await purge;
  expect(await countRemaining()).toEqual({ keys: 0, creates: 1 });
});

it("stops when it is aborted", async () => {
  await addKeysAndCreates(10, "2 days");
  await purgeIdempotencyKeys({ db }, AbortSignal.abort());
  expect(await countRemaining()).toEqual({ keys: 10, creates: 10 });
});
