import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { MIGRATIONS, migrate } from "./migrate.ts";
import { createThrowawayDatabase, type ThrowawayDatabase } from "./testing/throwaway-database.ts";
import { withClient } from "./with-client.ts";

let database: ThrowawayDatabase;
let folder: string;

beforeAll(async () => {
  database = await createThrowawayDatabase(process.env.TEST_DATABASE_URL ?? "");
  folder = await mkdtemp(join(tmpdir(), "tapthru-migrations-"));
  await cp(MIGRATIONS, folder, { recursive: true });
  await writeFile(join(folder, "9999-note.sql"), "ALTER TABLE links ADD note text;\n");
});

afterAll(() => Promise.all([database.drop(), rm(folder, { recursive: true })]));

function query(sql: string) {
  return withClient(database.url, (client) => client.query(sql));
}

async function isWaiting(): Promise<boolean> {
  const { rowCount } = await query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database()
     AND wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE links ADD note%'`,
  );
  return rowCount === 1;
}

it("releases its locks while a table is in use, and retries", async () => {
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  await reader.query("BEGIN; LOCK TABLE links IN ACCESS SHARE MODE");
  const onRetry = vi.fn();
  const migrating = migrate({ databaseUrl: database.url, folder, onRetry });
  await vi.waitUntil(isWaiting, { timeout: 20_000 });
  // Waits for the migration's lock request until the migration rolls back; the reader keeps its lock.
  await query("DELETE FROM links");
  await vi.waitUntil(() => onRetry.mock.calls.length > 0, { timeout: 20_000 });
  await reader.query("COMMIT");
  await reader.end();
  expect(await migrating).toEqual(["9999-note"]);
});
