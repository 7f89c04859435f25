import type { CommonQueryMethods } from "slonik";
import { markFinished } from "./queries.ts";

/**
 * Ends an import whose last line was imported. The only place where an import gets the state `finished`: what has to follow its end,
 * such as a notification, belongs into the same transaction. A trigger records its event for webhooks.
 */
export async function finishImport(
  transaction: Pick<CommonQueryMethods, "query">,
  importId: string,
): Promise<void> {
  await markFinished(transaction, importId);
}
