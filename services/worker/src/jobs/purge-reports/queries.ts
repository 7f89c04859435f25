import { REPORT_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/**
 * Deletes at most `limit` reports past their time and returns how many there were. One may be repeated
 * while the statement waits for it, so its age counts twice: as it was found, and as it then is.
 */
export function deleteOldReports(db: CommonQueryMethods, limit: number): Promise<number> {
  const isOver = sql.fragment`
    last_reported_at < now() - ${sql.interval({ seconds: REPORT_LIFETIME_MS / 1000 })}
  `;
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    WITH deleted AS (
      DELETE FROM reports WHERE (short_code, reason) IN (
        SELECT short_code, reason FROM reports
        WHERE ${isOver} ORDER BY last_reported_at LIMIT ${limit}
      ) AND ${isOver} RETURNING 1
    )
    SELECT count(*)::int AS count FROM deleted
  `);
}
