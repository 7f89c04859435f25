import type { ReportReason } from "@tapthru/proto/rules/report-reasons";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

export interface Report {
  shortCode: string;
  reason: ReportReason;
}

/** Counts a report of a link that is there; of others, and of those taken down, it keeps nothing. */
export async function countReport(
  db: Pick<CommonQueryMethods, "query">,
  { shortCode, reason }: Report,
): Promise<void> {
  // The lock has the link's row wait where it is being deleted at this moment.
  await db.query(sql.type(z.object({}))`
    INSERT INTO reports (short_code, reason)
    SELECT short_code, ${reason} FROM links
    WHERE short_code = ${shortCode} AND taken_down_at IS NULL FOR KEY SHARE
    ON CONFLICT (short_code, reason) DO UPDATE
      SET count = reports.count + 1, last_reported_at = now()
  `);
}
