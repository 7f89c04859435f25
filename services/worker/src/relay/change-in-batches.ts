import type { CommonQueryMethods } from "slonik";

/** The outbox is relayed after this number of changes at the latest. */
const MAX_CHANGES = 100;

/** `none`: there is no change. `links`: the change is not done yet. `removed`: it is. */
export type BatchResult = "none" | "links" | "removed";

/**
 * Makes one batch of changes of links, or removes changes that have no more links.
 * @returns whether more may be left
 */
export async function changeInBatches(
  db: Pick<CommonQueryMethods, "transaction">,
  changeBatch: (transaction: CommonQueryMethods) => Promise<BatchResult>,
): Promise<boolean> {
  for (let i = 0; i < MAX_CHANGES; i++) {
    const result = await db.transaction(changeBatch);
    if (result === "none") return false;
    if (result === "links") return true;
  }
  return true;
}
