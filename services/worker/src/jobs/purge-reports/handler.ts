import { REPORT_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import type { CommonQueryMethods } from "slonik";
import { purgeOldRows } from "../purge-old-rows.ts";

export async function purgeReports(
  { db }: { db: CommonQueryMethods },
  signal: AbortSignal,
): Promise<void> {
  await purgeOldRows(
    db,
    {
      table: "reports",
      primaryKey: ["short_code", "reason"],
      since: "last_reported_at",
      lifetimeMs: REPORT_LIFETIME_MS,
    },
    signal,
  );
}
