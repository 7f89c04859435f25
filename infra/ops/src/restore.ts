import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { migrate } from "@tapthru/postgres/migrate";
import { withClient } from "@tapthru/postgres/with-client";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { type Manifest, readManifest, rowsFile } from "./manifest.ts";
import { BACKED_UP_TABLES } from "./tables.ts";

/**
 * Migrates an empty database to the newest schema, then restores the backup into it in one transaction. Older backups
 * can be restored, because consecutive releases only add columns.
 * @throws UserFacingError if the backup is incomplete or has unknown tables, or if the database is not empty or is in
 * use; no row is written
 */
export async function restore(databaseUrl: string, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await withClient(databaseUrl, requireUnusedDatabase);
  await migrate({ databaseUrl });
  await withClient(databaseUrl, async (client) => {
    await client.query("BEGIN");
    await requireUnusedDatabase(client);
    for (const month of manifest.clickMonths) {
      await client.query("SELECT create_click_partitions($1)", [month]);
    }
    for (const table of BACKED_UP_TABLES) {
      const backup = manifest.tables[table];
      if (backup) await readRows(client, table, backup, folder);
    }
    for (const [sequence, last] of Object.entries(manifest.sequences)) {
      await client.query("SELECT setval($1::regclass, $2)", [pg.escapeIdentifier(sequence), last]);
    }
    await client.query("COMMIT");
    await client.query("ANALYZE");
  });
  return manifest;
}

async function requireUnusedDatabase(client: pg.Client): Promise<void> {
  await requireNoServices(client);
  await requireEmpty(client);
}

/**
 * Running services keep state in memory and Redis that does not match the restored data. Their login roles are members of
 * the group roles; the owner, who created these, is one with the admin option.
 */
async function requireNoServices(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity
     JOIN pg_auth_members ON member = usesysid JOIN pg_roles ON pg_roles.oid = roleid
     WHERE datname = current_database() AND NOT admin_option
       AND rolname IN ('tapthru_api', 'tapthru_worker', 'tapthru_redirect')`,
  );
  if (rowCount) throw new UserFacingError("Services are using this database: stop them first.");
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const existing = new Set(rows.map(({ name }) => name));
  for (const table of BACKED_UP_TABLES.filter((name) => existing.has(name))) {
    const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount) throw new UserFacingError(`This database is not empty: ${table} has rows.`);
  }
}

async function readRows(
  client: pg.Client,
  table: string,
  { columns, rows }: Manifest["tables"][string],
  folder: string,
): Promise<void> {
  const names = columns.map(pg.escapeIdentifier).join(", ");
  const copy = client.query(copyFrom(`COPY ${table} (${names}) FROM STDIN`));
  await pipeline(createReadStream(rowsFile(folder, table)), createGunzip(), copy);
  if (copy.rowCount !== rows) {
    throw new UserFacingError(
      `The backup has ${copy.rowCount} rows of ${table} instead of ${rows}.`,
    );
  }
}
