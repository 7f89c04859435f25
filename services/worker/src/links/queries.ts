import { RedirectRecord } from "@tapthru/proto/redirect/record";
import type { CodeRecord } from "@tapthru/runtime/redis/redirect-store";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Row = z.object({ shortCode: z.string(), record: RedirectRecord });

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
