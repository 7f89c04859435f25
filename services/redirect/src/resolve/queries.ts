import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Row = z.object({ record: RedirectRecord });

/**
 * The redirect record of a code, which may be a retired one; null if the code is unknown. A prepared statement, because
 * planning takes Postgres three times as long as the lookup.
 */
export function findRedirectRecord(
  db: Pick<CommonQueryMethods, "maybeOneFirst">,
  shortCode: string,
): Promise<RedirectRecord | null> {
  return db.maybeOneFirst(sql.prepared("find-redirect-record", Row)`
    SELECT record FROM redirect_records WHERE short_code = ${shortCode} LIMIT 1
  `);
}
