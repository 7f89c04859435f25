import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import * as z from "zod/mini";

/** What a backup says of itself; written last, so that only a whole backup has it. */
export const Manifest = z.object({
  takenAt: z.iso.datetime(),
  /** Columns and number of rows of each table. */
  tables: z.record(z.string(), z.object({ columns: z.array(z.string()), rows: z.int() })),
  /** The last numbers that were given out. */
  sequences: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

export function manifestFile(folder: string): string {
  return join(folder, "manifest.json");
}

/** The rows of a table, as Postgres' COPY writes them, compressed. */
export function rowsFile(folder: string, table: string): string {
  return join(folder, `${table}.copy.gz`);
}

/** @throws PlainError where there is no whole backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(manifestFile(folder), "utf8").catch(() => {
    throw new UserFacingError(`There is no whole backup in ${folder}.`);
  });
  return Manifest.parse(JSON.parse(text));
}
