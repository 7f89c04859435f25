import type { CommonQueryMethods } from "slonik";
import { deleteOldChanges } from "./queries.ts";

const BATCH = 1_000;

/** Replicas that tail the outbox look back less than the hour for which its rows are kept. */
export async function purgeLinkChanges(
  { db }: { db: CommonQueryMethods },
  signal: AbortSignal,
): Promise<void> {
  let deleted = BATCH;
  while (deleted === BATCH && !signal.aborted) deleted = await deleteOldChanges(db, BATCH);
}
