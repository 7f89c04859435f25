import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { readEachRow } from "@tapthru/core/platform/unreadable";
import { OWNER_KEY_PATTERN } from "@tapthru/proto/redirect/owner";
import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";

const Row = z.object({ shortCode: z.string(), record: RedirectRecord });

/** In place of the record of a user who was deleted; ids are never used again. */
const DELETED_OWNER = { state: "gone", reason: "deleted", revision: 2 ** 31 - 1 } as const;

/**
 * The current redirect records of these codes; none for codes that were never used. Records that this release cannot
 * read are reported, and only their codes returned.
 */
async function findRedirectRecords(
  app: Pick<App, "db" | "logger">,
  shortCodes: readonly string[],
): Promise<{ records: CodeRecord[]; unreadable: string[] }> {
  const rows = await readEachRow(
    app,
    sql.prepared("find-redirect-records", Row)`
      SELECT short_code AS "shortCode", record FROM redirect_records
      WHERE short_code = ANY(${sql.array(shortCodes, "text")})
    `,
    ["shortCode"],
  );
  const found = new Set(rows.map(({ row, raw }) => row?.shortCode ?? String(raw.shortCode)));
  const deletedOwners = shortCodes.filter((key) => OWNER_KEY_PATTERN.test(key) && !found.has(key));
  return {
    records: [
      ...rows.flatMap(({ row }) => row ?? []),
      ...deletedOwners.map((shortCode) => ({ shortCode, record: DELETED_OWNER })),
    ],
    unreadable: rows.flatMap(({ row, raw }) => (row === null ? String(raw.shortCode) : [])),
  };
}

/**
 * Passes the current records of these codes to `write`. Records that this release cannot read are deleted, so that
 * the redirect reads them from Postgres, where it may be of another release, and not a stale one from Redis.
 */
export async function projectRecords(
  app: Pick<App, "db" | "redirectStore" | "logger">,
  shortCodes: readonly string[],
  write: (records: readonly CodeRecord[]) => Promise<void>,
): Promise<void> {
  const { records, unreadable } = await findRedirectRecords(app, shortCodes);
  await write(records);
  await app.redirectStore.deleteMany(unreadable);
}
