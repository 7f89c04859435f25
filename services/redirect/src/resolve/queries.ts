import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Row = z.object({ record: RedirectRecord });

/**
 * The record of a code in use or once in use, as it would stand in Redis; null for any other. It is
 * planned once for each connection: that takes Postgres three times as long as the look-up.
 */
export async function findRedirectRecord(
  db: Pick<CommonQueryMethods, "maybeOneFirst">,
  shortCode: string,
): Promise<RedirectRecord | null> {
  return db.maybeOneFirst(sql.prepared("find-redirect-record", Row)`
    SELECT record FROM redirect_records WHERE short_code = ${shortCode} LIMIT 1
  `);
}
