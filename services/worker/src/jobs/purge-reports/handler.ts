import type { CommonQueryMethods } from "slonik";
import { deleteOldReports } from "./queries.ts";

const BATCH = 1_000;

export async function purgeReports(
  { db }: { db: CommonQueryMethods },
  signal: AbortSignal,
): Promise<void> {
  let deleted = BATCH;
  while (deleted === BATCH && !signal.aborted) deleted = await deleteOldReports(db, BATCH);
}
