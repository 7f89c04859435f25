import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { MIGRATIONS, migrate } from "./migrate.ts";
import { withDatabase } from "./testing/template-database.ts";
import { createThrowawayDatabase } from "./testing/throwaway-database.ts";
import { withClient } from "./with-client.ts";

const database = await createThrowawayDatabase();
afterAll(() => database.drop());

const query = (sql: string, values: string[] = []) => database.rows(sql, values);

/** @returns the address of a database without tables, until the test ends */
async function emptyDatabase(): Promise<string> {
  const name = `test_empty_${process.pid}`;
  await query(`CREATE DATABASE ${name}`);
  onTestFinished(async () => void (await query(`DROP DATABASE ${name} WITH (FORCE)`)));
  return withDatabase(database.url, name);
}

async function copyOfMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(MIGRATIONS, folder, { recursive: true });
  return folder;
}

it("has nothing to do the second time", async () => {
  expect(await migrate({ databaseUrl: database.url })).toEqual([]);
});

it("lets two migrations run at once: one of them creates the schema", async () => {
  const databaseUrl = await emptyDatabase();
  const run = () => migrate({ databaseUrl });
  const applied = (await Promise.all([run(), run()])).flat().sort();
  expect(applied).toEqual(["schema"]);
});

const CREATE = "CREATE INDEX CONCURRENTLY links_title_idx ON all_links (title)";
it.each([
  ["an index is created", [CREATE], [{ indisvalid: true }]],
  [
    "an index is deleted",
    ["CREATE INDEX links_title_idx ON all_links (title)", "DROP INDEX CONCURRENTLY links_title_idx"],
    [],
  ],
  [
    "an index is created anew",
    ["CREATE INDEX links_title_idx ON all_links (title)", "REINDEX INDEX CONCURRENTLY links_title_idx"],
    [{ indisvalid: true }],
  ],
])(
  "without a transaction, %s although an older one continues, without beginning again",
  async (_, statements, indexes) => {
    const folder = await copyOfMigrations();
    const steps = ["DROP INDEX IF EXISTS links_title_idx", ...statements].map((each) => `pgm.sql("${each}");`);
    await writeFile(
      join(folder, "9998-index.js"),
      `export const up = (pgm) => { pgm.noTransaction(); ${steps.join(" ")} };`,
    );
    const own = await createThrowawayDatabase();
    onTestFinished(() => own.drop());
    const onRetry = vi.fn();
    await withClient(own.url, async (older) => {
      await older.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM links; SELECT txid_current()");
      const migrating = migrate({ databaseUrl: own.url, folder, onRetry });
      const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query LIKE '%CONCURRENTLY%' AND query_start < now() - interval '1 second'`;
      await vi.waitUntil(async () => onRetry.mock.calls.length > 0 || (await own.rows(waits)).length > 0, 60_000);
      await older.query("COMMIT");
      expect(await migrating).toEqual(["9998-index"]);
    });
    expect(onRetry).not.toHaveBeenCalled();
    const found = "SELECT indisvalid FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relname = 'links_title_idx'";
    expect(await own.rows(found)).toEqual(indexes);
  },
);

it("refuses the database of an earlier checkout, and changes nothing in it", async () => {
  const databaseUrl = await emptyDatabase();
  await withClient(databaseUrl, async (client) => {
    await client.query("CREATE TABLE links (id integer); INSERT INTO links VALUES (1)");
    await expect(migrate({ databaseUrl })).rejects.toThrow("Another checkout of Tapthru created this database");
    const { rows } = await client.query(
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    expect(rows).toEqual([{ relname: "links" }]);
  });
});

it.skipIf(process.env.FAKETIME)("releases its locks while a table is in use, and retries", async () => {
  const folder = await copyOfMigrations();
  await writeFile(join(folder, "9999-note.sql"), "ALTER TABLE all_links ADD note text;\n");
  const isWaiting = async () => {
    const statements = await query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database()
       AND wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE all_links ADD note%'`,
    );
    return statements.length === 1;
  };
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  await reader.query("BEGIN; LOCK TABLE all_links IN ACCESS SHARE MODE");
  const onRetry = vi.fn();
  const migrating = migrate({ databaseUrl: database.url, folder, onRetry });
  await vi.waitUntil(isWaiting, { timeout: 60_000 });
  // Waits for the migration's lock request until the migration rolls back; the reader keeps its lock.
  await query("DELETE FROM links");
  await vi.waitUntil(() => onRetry.mock.calls.length > 0, { timeout: 60_000 });
  await reader.query("COMMIT");
  await reader.end();
  expect(await migrating).toEqual(["9999-note"]);
});

it("no trigger starts a change of many links: code says so, by `addBulkUpdate`", async () => {
  const triggers = "SELECT proname FROM pg_proc WHERE prorettype = 'trigger'::regtype AND prosrc ~ 'bulk_updates'";
  expect(await query(triggers)).toEqual([]);
});

const deepLink = "https://t.example/redirect?product_id=B000000001&original_url=x";
const webUrl = "https://amazon.de/dp/B000000001";
it.each([
  ["links_deep_link_has_product_id", ["https://t.example/redirect", webUrl, "bbbbbbb"]],
  ["links_web_url_https", [deepLink, "http://amazon.de/dp/B000000001", "ccccccc"]],
])("a link is refused by %s", async (constraint, values) => {
  const insert = `INSERT INTO links (original_url, deep_link, web_url, short_code) VALUES ('', $1, $2, $3)`;
  await expect(query(insert, values)).rejects.toMatchObject({ constraint });
});

describe("roles", () => {
  const queryAs = async (group: Parameters<typeof database.urlAs>[0], statement: string) =>
    withClient(await database.urlAs(group), (service) => service.query(statement));

  it.each([
    ["tapthru_redirect", "UPDATE links SET title = 'x'"],
    ["tapthru_redirect", "INSERT INTO retired_codes VALUES ('ddddddd', 'deleted', 1)"],
    ["tapthru_redirect", "SELECT email FROM users"],
    ["tapthru_redirect", "SELECT user_id FROM links"],
    ["tapthru_redirect", "SELECT projected_at FROM link_changes"],
    ["tapthru_redirect", "CREATE TABLE mine (id integer)"],
    ["tapthru_worker", "SELECT email FROM users"],
    ["tapthru_worker", "SELECT after FROM audit_log"],
    ["tapthru_api", "SELECT due_weekly_emails(1)"],
    ["tapthru_worker", "INSERT INTO retired_codes SELECT email FROM users"],
    ["tapthru_api", "DELETE FROM link_changes"],
    ["tapthru_api", "DELETE FROM retired_codes"],
    ["tapthru_api", "SELECT encrypted_key FROM certificates"],
    ["tapthru_api", "SELECT encrypted_key FROM acme_accounts"],
  ] as const)("%s may not: %s", async (group, statement) => {
    await expect(queryAs(group, statement)).rejects.toMatchObject({ code: "42501" });
  });

  it.each([
    ["tapthru_redirect", "SELECT record FROM redirect_records"],
    ["tapthru_redirect", "SELECT short_code, revision FROM link_changes WHERE id > 1"],
    ["tapthru_worker", "DELETE FROM recent_creates WHERE created_at < now()"],
    ["tapthru_api", "INSERT INTO link_changes (short_code, revision) VALUES ('fffffff', 1)"],
  ] as const)("%s may: %s", async (group, statement) => {
    await expect(queryAs(group, statement)).resolves.toBeDefined();
  });
});
