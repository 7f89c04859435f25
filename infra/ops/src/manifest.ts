import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import * as z from "zod/mini";
import { BACKED_UP_TABLES } from "./tables.ts";

/** Describes a backup. It is written last, so only a complete backup has it. */
export const Manifest = z.object({
  takenAt: z.iso.datetime(),
  /** Columns and number of rows of each table. */
  tables: z.record(z.string(), z.object({ columns: z.array(z.string()), rows: z.int() })),
  /** The last value of each sequence. */
  sequences: z.record(z.string(), z.string()),
  /** The months of clicks; absent in backups of releases without clicks. */
  clickMonths: z._default(z.array(z.iso.date()), []),
});
export type Manifest = z.infer<typeof Manifest>;

export function manifestFile(folder: string): string {
  return join(folder, "manifest.json");
}

/** The rows of a table in the text format of COPY, compressed with gzip. */
export function rowsFile(folder: string, table: string): string {
  return join(folder, `${table}.copy.gz`);
}

/** @throws UserFacingError if the folder has no complete backup, or one with tables that would not be restored */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(manifestFile(folder), "utf8").catch(() => {
    throw new UserFacingError(`There is no complete backup in ${folder}.`);
  });
  const manifest = Manifest.parse(JSON.parse(text));
  const known: readonly string[] = BACKED_UP_TABLES;
  const unknownTables = Object.keys(manifest.tables).filter((name) => !known.includes(name));
  if (unknownTables.length > 0) {
    throw new UserFacingError(
      `The backup has tables unknown to this release: ${unknownTables.join(", ")}. Restore it with the release that wrote it.`,
    );
  }
  return manifest;
}
