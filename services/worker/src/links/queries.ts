import { RedirectRecord } from "@tapthru/proto/redirect/record";
import type { CodeRecord } from "@tapthru/runtime/redis/redirect-store";
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

/** The current redirect records of these codes; none for codes that were never used. */
export function findRedirectRecords(
  db: CommonQueryMethods,
  shortCodes: readonly string[],
): Promise<readonly CodeRecord[]> {
  return db.any(sql.type(Row)`
    SELECT short_code AS "shortCode", record FROM redirect_records
    WHERE short_code = ANY(${sql.array(shortCodes, "text")})
  `);
}
