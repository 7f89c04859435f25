import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Row = z.object({ record: RedirectRecord });

/**
 * The redirect record of a code, which may be a retired one; null if the code is unknown. A prepared statement unless
 * connections are shared, because planning takes Postgres three times as long as the lookup.
 */
export async function findRedirectRecord(
  db: Pick<CommonQueryMethods, "maybeOneFirst">,
  shortCode: string,
  isPrepared = true,
): Promise<RedirectRecord | null> {
  const typed = isPrepared ? sql.prepared("find-redirect-record", Row) : sql.type(Row);
  return db.maybeOneFirst(typed`
    SELECT record FROM redirect_records WHERE short_code = ${shortCode} LIMIT 1
  `);
}
