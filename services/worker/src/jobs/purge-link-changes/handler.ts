import type { CommonQueryMethods } from "slonik";
import { purgeOldRows } from "../purge-old-rows.ts";

/** Longer than the period of the outbox that a replica's change tail reads. */
export const PROJECTED_CHANGE_LIFETIME_MS = 60 * 60 * 1_000;

export async function purgeLinkChanges(
  { db }: { db: CommonQueryMethods },
  signal: AbortSignal,
): Promise<void> {
  await purgeOldRows(
    db,
    {
      table: "link_changes",
      primaryKey: ["id"],
      since: "projected_at",
      lifetimeMs: PROJECTED_CHANGE_LIFETIME_MS,
    },
    signal,
  );
}
