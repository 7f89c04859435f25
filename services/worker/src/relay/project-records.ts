import type { Logger } from "@tapthru/core/platform/logger";
import type { CodeRecord, RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { readEachRow } from "@tapthru/core/platform/unreadable";
import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

const Row = z.object({ shortCode: z.string(), record: RedirectRecord });

/** A query of `short_code` and `link_id`: the links of current and earlier codes. */
export function linksOfCodes(shortCodes: readonly string[]): FragmentSqlToken {
  const codes = sql.array(shortCodes, "text");
  return sql.fragment`
    SELECT short_code, id AS link_id FROM links WHERE short_code = ANY(${codes})
    UNION
    SELECT short_code, link_id FROM link_codes WHERE short_code = ANY(${codes})
  `;
}

/**
 * The current redirect records of these codes; none for codes that were never used. Records that this release cannot
 * read are reported, and only their codes returned.
 */
async function findRedirectRecords(
  deps: { db: Pick<CommonQueryMethods, "any">; logger: Logger },
  shortCodes: readonly string[],
): Promise<{ records: CodeRecord[]; unreadable: string[] }> {
  const rows = await readEachRow(
    deps,
    sql.type(Row)`
      SELECT short_code AS "shortCode", record FROM redirect_records
      WHERE short_code = ANY(${sql.array(shortCodes, "text")})
    `,
    ["shortCode"],
  );
  return {
    records: rows.flatMap(({ row }) => row ?? []),
    unreadable: rows.flatMap(({ row, raw }) => (row === null ? String(raw.shortCode) : [])),
  };
}

/**
 * Passes the current records of these codes to `write`. Records that this release cannot read are deleted, so that
 * the redirect reads them from Postgres, where it may be of another release, and not a stale one from Redis.
 */
export async function projectRecords(
  deps: {
    db: Pick<CommonQueryMethods, "any">;
    redirectStore: Pick<RedirectStore, "deleteMany">;
    logger: Logger;
  },
  shortCodes: readonly string[],
  write: (records: readonly CodeRecord[]) => Promise<void>,
): Promise<void> {
  const { records, unreadable } = await findRedirectRecords(deps, shortCodes);
  await write(records);
  await deps.redirectStore.deleteMany(unreadable);
}
