import { createHash } from "node:crypto";
import type pg from "pg";
import { MIGRATIONS, migrate, readSql, schemaSql } from "../migrate.ts";
import { withClient } from "../with-client.ts";

/** Held while the template is looked for and created. */
const LOCK = 7_426_883;

const MONTHS_BEFORE =
  "SELECT create_click_partitions((current_date - n * interval '1 month')::date) FROM generate_series(1, 2) n";

/**
 * Finds the migrated database on a test server of which tests get copies, because a copy takes a fraction of the time of
 * the migration. Creates it if the server has none for this schema and month: it also has partitions for the clicks of the two
 * months before, for tests that count days back from today.
 * @returns its name
 */
export function findTemplate(serverUrl: string): Promise<string> {
  const month = new Date().toISOString().slice(0, 7);
  const hash = createHash("sha256").update(schemaSql()).update(readSql(MIGRATIONS)).update(month).digest("hex");
  const name = `template_${hash.slice(0, 12)}`;
  return withClient(serverUrl, async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount === 0) await createTemplate(serverUrl, client, name);
    return name;
  });
}

/** Renames the database once it is complete, so that an interrupted migration is never copied. */
async function createTemplate(serverUrl: string, client: pg.Client, name: string): Promise<void> {
  const draft = `${name}_draft`;
  await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${draft}`);
  const databaseUrl = withDatabase(serverUrl, draft);
  await migrate({ databaseUrl });
  await withClient(databaseUrl, (draftClient) => draftClient.query(MONTHS_BEFORE));
  await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
}

/** The address of another database on the same server. */
export function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
