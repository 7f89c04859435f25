import type { CommonQueryMethods } from "slonik";
import {
  continueAfter,
  lockRoutingChange,
  raiseRevisions,
  removeChange,
} from "./routing-queries.ts";

/** Links per transaction. */
export const ROUTED_LINKS_BATCH = 500;

/** The outbox is relayed after this number of changes at the latest. */
const MAX_CHANGES = 100;

/**
 * Raises the revisions of links whose routing changed with something that many links share: the owner's tags or settings,
 * or the stores that sell a product. Their outbox rows are relayed like all others. Does not need Redis.
 * @returns whether more may be left
 */
export async function changeRoutedLinks({ db }: { db: CommonQueryMethods }): Promise<boolean> {
  for (let i = 0; i < MAX_CHANGES; i++) {
    const step = await db.transaction(changeBatch);
    if (step === "none") return false;
    if (step === "links") return true;
  }
  return true;
}

/** Changes one batch of links; removes the change when it has no more. */
async function changeBatch(transaction: CommonQueryMethods): Promise<"none" | "links" | "removed"> {
  const change = await lockRoutingChange(transaction);
  if (change === null) return "none";
  const { lastId } = await raiseRevisions(transaction, change, ROUTED_LINKS_BATCH);
  if (lastId === null) {
    await removeChange(transaction, change);
    return "removed";
  }
  await continueAfter(transaction, change, lastId);
  return "links";
}
