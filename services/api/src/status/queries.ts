import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { APP_OPENING_MIN_REPORTS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";

const ReportedRow = z.object({
  row: z.string(),
  app: z.string(),
  os: z.enum(["ios", "android"]),
  tried: z.int(),
  opened: z.int(),
});

/**
 * The rows with enough reports, most reports first. As in the alert AppOpenRateLow, every page that did not stay visible
 * counts as opened.
 */
export function findReportedRows(db: Db<"any">, since: string) {
  return db.any(sql.type(ReportedRow)`
    SELECT row_id AS "row", app, os, sum(opened + stayed + unknown)::int8 AS tried,
      sum(opened + unknown)::int8 AS opened
    FROM app_openings WHERE day >= ${since}::text::date
    GROUP BY row_id, app, os
    HAVING sum(opened + stayed + unknown) >= ${APP_OPENING_MIN_REPORTS}
    ORDER BY tried DESC, row_id
  `);
}
