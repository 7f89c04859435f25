import type { Logger } from "@tapthru/core/platform/logger";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import type { CommonQueryMethods } from "slonik";
import { projectRecords } from "./project-records.ts";
import { acquireRelayLock, type Change, findUnprojected, markProjected } from "./queries.ts";

/** Rows per batch. */
export const RELAY_BATCH = 500;

export interface RelayDependencies {
  db: CommonQueryMethods;
  redirectStore: Pick<RedirectStore, "putMany" | "deleteMany" | "markUpToDate">;
  /** Best effort: the sweep finds what was not queued. */
  queuePagesOf(shortCodes: readonly string[]): Promise<void>;
  logger: Logger;
}

/**
 * Writes the links of the oldest outbox rows to the redirect records. It writes the current state of the links, and rows
 * count as projected only after Redis stored it: after a crash they are projected again, and the newest state always
 * wins. When no row is left, Redis is marked as up to date.
 * @returns the number of projected rows; 0 while another relay is active
 */
export async function relayBatch(deps: RelayDependencies): Promise<number> {
  const changes = await deps.db.transaction(async (transaction) => {
    if (!(await acquireRelayLock(transaction))) return [];
    const found = await findUnprojected(transaction, RELAY_BATCH);
    if (found.length > 0) await project(deps, transaction, found);
    if (found.length < RELAY_BATCH) await bestEffort(deps.redirectStore.markUpToDate());
    return found;
  });
  if (changes.length > 0) await deps.queuePagesOf(codesOf(changes));
  return changes.length;
}

async function project(
  { redirectStore, logger }: RelayDependencies,
  transaction: CommonQueryMethods,
  changes: readonly Change[],
): Promise<void> {
  const deps = { db: transaction, redirectStore, logger };
  await projectRecords(deps, codesOf(changes), redirectStore.putMany);
  await markProjected(
    transaction,
    changes.map(({ id }) => id),
  );
}

function codesOf(changes: readonly { shortCode: string }[]): string[] {
  return [...new Set(changes.map(({ shortCode }) => shortCode))];
}

type Dependencies = Pick<RelayDependencies, "db" | "queuePagesOf">;

/**
 * Returns a function that queues the page reads of unprojected rows, each row once. It is called while the cache Redis is
 * unavailable. Relays that are not active do nothing. A row whose transaction ended late is left to the relay or the sweep.
 */
export function createWaitingReads({ db, queuePagesOf }: Dependencies): () => Promise<void> {
  let lastId = 0;

  const findNext = () =>
    db.transaction(async (transaction: CommonQueryMethods) =>
      (await acquireRelayLock(transaction))
        ? findUnprojected(transaction, RELAY_BATCH, lastId)
        : [],
    );

  return async () => {
    for (let found = await findNext(); found.length > 0; found = await findNext()) {
      await queuePagesOf(codesOf(found));
      lastId = found.at(-1)?.id ?? lastId;
      if (found.length < RELAY_BATCH) return;
    }
  };
}
