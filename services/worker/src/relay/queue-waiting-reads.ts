import type { CommonQueryMethods } from "slonik";
import { acquireRelayLock, findUnprojected } from "./queries.ts";
import { codesOf, RELAY_BATCH, type RelayDependencies } from "./relay-batch.ts";

type Dependencies = Pick<RelayDependencies, "db" | "queuePagesOf">;

/**
 * A function for the time in which the cache Redis is unavailable: it queues the page reads of rows that cannot be projected,
 * each row once. Relays that are not active do nothing. A row whose transaction ended late is left to the relay or the sweep.
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
