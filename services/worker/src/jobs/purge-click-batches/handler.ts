import type { CommonQueryMethods } from "slonik";
import { purgeOldRows } from "../purge-old-rows.ts";

/** A batch may arrive again within seconds: after a lost reply, or when another worker takes it over. */
const APPLIED_BATCH_LIFETIME_MS = 24 * 60 * 60 * 1_000;

export async function purgeClickBatches(
  { db, clickHouse }: { db: CommonQueryMethods; clickHouse: object | null },
  signal: AbortSignal,
): Promise<void> {
  await purgeOldRows(
    db,
    {
      table: "click_batches",
      primaryKey: ["id"],
      since: "applied_at",
      lifetimeMs: APPLIED_BATCH_LIFETIME_MS,
    },
    signal,
  );
  // Only ClickHouse follows them, within seconds.
  if (clickHouse !== null) return;
  await purgeOldRows(
    db,
    {
      table: "click_link_changes",
      primaryKey: ["id"],
      since: "changed_at",
      lifetimeMs: APPLIED_BATCH_LIFETIME_MS,
    },
    signal,
  );
}
