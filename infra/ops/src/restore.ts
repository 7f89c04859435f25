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
 * Brings an empty database to the newest schema and to what the backup holds, or leaves it empty. Older
 * backups fit: columns are only ever added between releases that follow each other.
 * @throws PlainError where the database holds something or is in use; it is left as it was
 */
export async function restore(databaseUrl: string, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await withClient(databaseUrl, requireUnused);
  await migrate({ databaseUrl });
  await withClient(databaseUrl, async (client) => {
    await client.query("BEGIN");
    await requireUnused(client);
    for (const table of BACKED_UP_TABLES) {
      const kept = manifest.tables[table];
      if (kept) await readRows(client, table, kept, folder);
    }
    for (const [sequence, last] of Object.entries(manifest.sequences)) {
      await client.query("SELECT setval($1::regclass, $2)", [pg.escapeIdentifier(sequence), last]);
    }
    await client.query("COMMIT");
    await client.query("ANALYZE");
  });
  return manifest;
}

async function requireUnused(client: pg.Client): Promise<void> {
  await requireAlone(client);
  await requireEmpty(client);
}

/** Who runs has an outbox and a Redis in mind that belong to other data. */
async function requireAlone(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND usename IN ('api', 'worker', 'redirect')`,
  );
  if (rowCount) throw new UserFacingError("Services are using this database: stop them first.");
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const there = new Set(rows.map(({ name }) => name));
  for (const table of BACKED_UP_TABLES.filter((name) => there.has(name))) {
    const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount) throw new UserFacingError(`This database is not empty: there are ${table}.`);
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
