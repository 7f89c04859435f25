import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import type { LinkState } from "@tapthru/proto/rules/link-health";
import { linkState } from "@tapthru/proto/rules/link-state";
import type { CommonQueryMethods } from "slonik";
import { lockStaleLinks, type StaleLink, storeLinkStates } from "./link-queries.ts";

const BATCH = 1_000;

/** Determines the states of links that changed, or whose page did, in batches until none is left. */
export async function updateStaleLinks(db: CommonQueryMethods, signal: AbortSignal): Promise<void> {
  let updated = BATCH;
  while (updated === BATCH && !signal.aborted) updated = await updateBatch(db);
}

function updateBatch(db: CommonQueryMethods): Promise<number> {
  return db.transaction(async (transaction) => {
    const links = await lockStaleLinks(transaction, BATCH);
    const states = links.map((link) => ({ linkId: link.linkId, state: stateOf(link) }));
    if (states.length > 0) await storeLinkStates(transaction, states);
    return states.length;
  });
}

/** `unknown` for an address that is not Amazon's; the dashboard shows such a link as invalid. */
function stateOf({ webUrl, pageState, ownTags }: StaleLink): LinkState {
  const page = parseStorePage(webUrl);
  return page === null ? "unknown" : linkState(tagHealth(page), pageState, ownTags);
}
