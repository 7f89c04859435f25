import type { RedirectStore } from "@tapthru/runtime/redirect-store";
import { RedisAwayError } from "@tapthru/runtime/redis";
import type { CommonQueryMethods } from "slonik";
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
    await buryRecords(needs.redirectStore, links);
    purged = links.length;
  }
}

/** Best effort: the relay does it again. */
async function buryRecords(
  redirectStore: Needs["redirectStore"],
  links: readonly Purged[],
): Promise<void> {
  const tombstones = links.map(({ shortCode, revision }) => ({
    shortCode,
    record: { state: "gone", reason: "expired", revision } as const,
  }));
  try {
    await redirectStore.putMany(tombstones);
  } catch (error) {
    if (!(error instanceof RedisAwayError)) throw error;
  }
}
