import type { RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import type { CommonQueryMethods } from "slonik";
import { bestEffort } from "../best-effort.ts";
import { findRedirectRecords } from "../links/queries.ts";
import { acquireRelayLock, type Change, findUnprojected, markProjected } from "./queries.ts";

/** So many rows are carried at once. */
export const RELAY_BATCH = 500;

export interface RelayNeeds {
  db: CommonQueryMethods;
  redirectStore: Pick<RedirectStore, "putMany" | "markUpToDate">;
  /** Best effort: the sweep finds what was not queued. */
  queuePagesOf(shortCodes: readonly string[]): Promise<void>;
}

/**
 * Carries the oldest rows of the outbox to the redirect records. What is put is the links' present
 * state, and rows count as projected only once it stands in Redis: whatever dies meanwhile, they are
 * done again, and nothing older than the newest ever remains. Once none is
 * left, Redis is marked as up to date.
 * @returns how many rows it carried; none while another relay is at work
 */
export async function relayBatch(needs: RelayNeeds): Promise<number> {
  const changes = await needs.db.transaction(async (transaction) => {
    if (!(await acquireRelayLock(transaction))) return [];
    const found = await findUnprojected(transaction, RELAY_BATCH);
    if (found.length > 0) await project(needs, transaction, found);
    if (found.length < RELAY_BATCH) await bestEffort(needs.redirectStore.markUpToDate());
    return found;
  });
  if (changes.length > 0) await needs.queuePagesOf(codesOf(changes));
  return changes.length;
}

async function project(
  { redirectStore }: RelayNeeds,
  transaction: CommonQueryMethods,
  changes: readonly Change[],
): Promise<void> {
  await redirectStore.putMany(await findRedirectRecords(transaction, codesOf(changes)));
  await markProjected(
    transaction,
    changes.map(({ id }) => id),
  );
}

function codesOf(changes: readonly { shortCode: string }[]): string[] {
  return [...new Set(changes.map(({ shortCode }) => shortCode))];
}
