import type { CodeRecord, RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import type { CommonQueryMethods } from "slonik";
import { bestEffort } from "../../best-effort.ts";
import { deleteExpiredLinks, type Purged } from "./queries.ts";

const BATCH = 500;

interface Needs {
  db: CommonQueryMethods;
  redirectStore: Pick<RedirectStore, "putMany">;
}

export async function purgeExpiredLinks(needs: Needs, signal: AbortSignal): Promise<void> {
  let purged = BATCH;
  while (purged === BATCH && !signal.aborted) {
    const links = await deleteExpiredLinks(needs.db, BATCH);
    // The relay repeats it.
    await bestEffort(needs.redirectStore.putMany(links.map(tombstone)));
    purged = links.length;
  }
}

function tombstone({ shortCode, revision }: Purged): CodeRecord {
  return { shortCode, record: { state: "gone", reason: "expired", revision } };
}
