import type { CommonQueryMethods } from "slonik";
import { deleteOldCreates, deleteOldKeys } from "./queries.ts";

const BATCH = 1_000;

/** Forgets keys after a day and repeated creates after their window, in small batches. */
export async function purgeIdempotencyKeys(
  { db }: { db: CommonQueryMethods },
  signal: AbortSignal,
): Promise<void> {
  for (const deleteBatch of [deleteOldKeys, deleteOldCreates]) {
    let deleted = BATCH;
    while (deleted === BATCH && !signal.aborted) deleted = await deleteBatch(db, BATCH);
  }
}
