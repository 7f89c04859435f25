import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MIGRATIONS, migrate } from "./migrate.ts";
import { createThrowawayDatabase, type ThrowawayDatabase } from "./testing/throwaway-database.ts";

let database: ThrowawayDatabase;
let client: pg.Client;
let olderMigrations: string;

beforeAll(async () => {
  database = await createThrowawayDatabase(process.env.TEST_DATABASE_URL ?? "");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  olderMigrations = await mkdtemp(join(tmpdir(), "tapthru-migrations-"));
  for (const name of await readdir(MIGRATIONS)) {
    if (name < "0017") await cp(join(MIGRATIONS, name), join(olderMigrations, name));
  }
});

afterAll(async () => {
  await client.end();
  await Promise.all([database.drop(), rm(olderMigrations, { recursive: true })]);
});

/** A user with a link in a database of an older release. */
async function goBack(): Promise<void> {
  await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await migrate({ databaseUrl: database.url, folder: olderMigrations });
  await client.query(
    `WITH owner AS (
       INSERT INTO users (username, email, firebase_uid) VALUES ('ada', 'ada@t.example', 'uid')
       RETURNING id
     )
     INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
     SELECT 'aaaaaaa', 'https://amazon.de/dp/B000000001', 'https://amazon.de/dp/B000000001',
       'https://t.example/redirect?product_id=B000000001', id FROM owner`,
  );
}

const ownerKey = async () => {
  const { rows } = await client.query(
    `SELECT confdeltype AS "onDelete", convalidated AS "isValidated" FROM pg_constraint
     WHERE conname = 'links_user_id_fkey'`,
  );
  return rows;
};

it("refuses to delete a user who has links, even after an upgrade", async () => {
  await goBack();
  await migrate({ databaseUrl: database.url });

  expect(await ownerKey()).toEqual([{ onDelete: "r", isValidated: true }]);
  await expect(client.query("DELETE FROM users")).rejects.toMatchObject({
    constraint: "links_user_id_fkey",
  });
  await client.query("DELETE FROM links");
  expect((await client.query("DELETE FROM users")).rowCount).toBe(1);
});

it("validates while another transaction writes", async () => {
  await goBack();
  await migrate({ databaseUrl: database.url });
  await client.query(
    `ALTER TABLE links DROP CONSTRAINT links_user_id_fkey, ADD CONSTRAINT links_user_id_fkey
       FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT NOT VALID`,
  );
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query("BEGIN; UPDATE users SET email = 'new@t.example'; DELETE FROM links");

  await migrate({ databaseUrl: database.url });
  expect(await ownerKey()).toEqual([{ onDelete: "r", isValidated: true }]);

  await writer.query("ROLLBACK");
  await writer.end();
});
