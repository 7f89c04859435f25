import { calculateDays } from "@tapthru/core/earnings/imports";
import { type ZipOptions, zipSync } from "fflate";
import { READER, readEarnings } from "../jobs/read-earnings/read-earnings.ts";
import type { TestDatabase } from "./test-database.ts";
import { addUser } from "./test-webhooks.ts";

const PART_BYTES = 1_024 * 1_024;

interface FileOptions {
  userId?: number;
  name?: string | null;
  marketplace?: string | null;
  storeId?: string;
  dateOrder?: string | null;
}

/** Adds a user with a default channel that has a tag. @returns their id */
export async function addReportUser(
  database: Pick<TestDatabase, "rows">,
  { marketplace = "de", tag = "me-21" } = {},
): Promise<number> {
  const id = await addUser(database);
  await database.rows("INSERT INTO channel_tags VALUES (default_channel($1), $1, $2, $3)", [id, marketplace, tag]);
  return id;
}

/** Adds a file that waits to be read, as the api stores it. @returns the id of its import */
export async function addFile(
  database: Pick<TestDatabase, "rows">,
  content: string | Uint8Array,
  { userId, name = "file.csv", marketplace = null, storeId = "", dateOrder = null }: FileOptions = {},
): Promise<string> {
  const owner = userId ?? (await addReportUser(database));
  const [row] = await database.rows(
    `INSERT INTO earnings_imports (user_id, file_name, marketplace, store_id, date_order)
     VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [owner, name, marketplace, storeId, dateOrder],
  );
  const bytes = Buffer.from(content);
  for (let part = 0; part * PART_BYTES < bytes.length; part++) {
    await database.rows("INSERT INTO earnings_file_parts VALUES ($1, $2, $3)", [
      row?.id,
      part,
      bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    ]);
  }
  return String(row?.id);
}

export function zipOf(files: Readonly<Record<string, string | Uint8Array>>, options: ZipOptions = {}): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])), options);
}

interface ReadOptions extends Partial<typeof READER> {
  signal?: AbortSignal;
}

export async function readAll(
  { db }: Pick<TestDatabase, "db">,
  importId: string,
  { signal = new AbortController().signal, ...reader }: ReadOptions = {},
): Promise<void> {
  await readEarnings({ db }, { importId }, { signal }, { ...READER, ...reader });
}

export async function storeFile({ db, rows }: Pick<TestDatabase, "db" | "rows">, importId: string): Promise<void> {
  await rows("UPDATE earnings_imports SET state = 'stored', stored_at = now() WHERE id = $1", [importId]);
  await calculateDays(db, importId);
}

export async function importOf({ rows }: Pick<TestDatabase, "rows">, id: string) {
  return (await rows("SELECT * FROM earnings_imports WHERE id = $1", [id]))[0];
}

export function reportsOf({ rows }: Pick<TestDatabase, "rows">, importId: string) {
  return rows(`SELECT *, first_day::text, last_day::text FROM earnings_reports WHERE import_id = $1 ORDER BY id`, [
    importId,
  ]);
}
