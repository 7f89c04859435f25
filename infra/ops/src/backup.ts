import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { withClient } from "@tapthru/postgres/with-client";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type Manifest, manifestFile, rowsFile } from "./manifest.ts";
import { BACKED_UP_TABLES, requireKnownTables } from "./tables.ts";

/**
 * Writes a consistent snapshot of the database into a new folder that only its owner may read. Concurrent writes are not
 * blocked.
 * @throws UserFacingError if the folder cannot be created
 */
export function backUp(databaseUrl: string, folder: string): Promise<Manifest> {
  return withClient(databaseUrl, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await requireKnownTables(client);
    await createFolder(folder);
    const takenAt = new Date().toISOString();
    const tables: Manifest["tables"] = {};
    for (const table of BACKED_UP_TABLES) {
      const columns = await columnsOf(client, table);
      tables[table] = { columns, rows: await writeRows(client, table, columns, folder) };
    }
    const manifest = {
      takenAt,
      tables,
      sequences: await sequencesOf(client),
      clickMonths: await clickMonthsOf(client),
    };
    await writeFile(manifestFile(folder), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
    });
    return manifest;
  });
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    throw new UserFacingError(`The backup folder must not exist yet: ${(error as Error).message}`);
  }
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'
     ORDER BY ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** @returns the number of rows */
async function writeRows(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  folder: string,
): Promise<number> {
  const names = columns.map(pg.escapeIdentifier).join(", ");
  const rows = client.query(copyTo(`COPY (SELECT ${names} FROM ${table}) TO STDOUT`));
  const file = createWriteStream(rowsFile(folder, table), { mode: 0o600 });
  await pipeline(rows, createGzip(), file);
  return rows.rowCount;
}

/** The months that have partitions, such as 2026-11-01. */
async function clickMonthsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `SELECT DISTINCT replace(right(relname, 7), '_', '-') || '-01' AS month
     FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent IN ('clicks'::regclass, 'monthly_clicks'::regclass) AND relkind = 'r'`,
  );
  return rows.map(({ month }) => month);
}

async function sequencesOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}
