import { bestEffort } from "@tapthru/runtime/redis/errors";
import type { CodeRecord, RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import type { CommonQueryMethods } from "slonik";
import { deleteExpiredLinks, type PurgedLink } from "./queries.ts";

const BATCH = 500;

interface Dependencies {
  db: CommonQueryMethods;
  redirectStore: Pick<RedirectStore, "putMany">;
}

export async function purgeExpiredLinks(deps: Dependencies, signal: AbortSignal): Promise<void> {
  let purged = BATCH;
  while (purged === BATCH && !signal.aborted) {
    const links = await deleteExpiredLinks(deps.db, BATCH);
    // If this fails, the relay writes the tombstones.
    await bestEffort(deps.redirectStore.putMany(links.map(tombstone)));
    purged = links.length;
  }
}

function tombstone({ shortCode, revision }: PurgedLink): CodeRecord {
  return { shortCode, record: { state: "gone", reason: "expired", revision } };
}
