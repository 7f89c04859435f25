import { APP_OPENING_MIN_REPORTS } from "@tapthru/proto/rules/limits";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";

const ReportedGroup = z.object({
  row: z.string(),
  app: z.string(),
  os: z.enum(["ios", "android"]),
  /** Empty for all versions that are unknown or have few reports. */
  version: z.string(),
  tried: z.int(),
  opened: z.int(),
});
export type ReportedGroup = z.infer<typeof ReportedGroup>;

/** As in the alert AppOpenRateLow, every page that did not stay visible counts as opened. */
export function findReportedGroups(db: Db<"any">, since: string) {
  return db.any(sql.type(ReportedGroup)`
    WITH versions AS (
      SELECT row_id, app, os, app_version,
        sum(opened + stayed + unknown) AS tried, sum(opened + unknown) AS opened
      FROM app_openings WHERE day >= ${since}::text::date
      GROUP BY row_id, app, os, app_version
    )
    SELECT row_id AS "row", app, os, shown.version,
      sum(tried)::int8 AS tried, sum(opened)::int8 AS opened
    FROM versions CROSS JOIN LATERAL (
      SELECT CASE WHEN tried >= ${APP_OPENING_MIN_REPORTS} THEN app_version ELSE '' END
    ) AS shown (version)
    GROUP BY row_id, app, os, shown.version
  `);
}

const TableRow = z.object({ version: z.string(), firstDay: z.string(), lastDay: z.string() });

export function findTableVersions(db: Db<"any">) {
  return db.any(sql.type(TableRow)`
    SELECT version, first_day::text AS "firstDay", last_day::text AS "lastDay"
    FROM app_opening_tables ORDER BY first_day DESC, version DESC LIMIT 100
  `);
}
