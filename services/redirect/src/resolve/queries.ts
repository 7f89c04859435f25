import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** The record of a code in use or once in use, as it would stand in Redis; null for any other. */
export async function findRedirectRecord(
  db: Pick<CommonQueryMethods, "maybeOneFirst">,
  shortCode: string,
): Promise<RedirectRecord | null> {
  return db.maybeOneFirst(sql.type(z.object({ record: RedirectRecord }))`
    SELECT record FROM redirect_records WHERE short_code = ${shortCode} LIMIT 1
  `);
}
