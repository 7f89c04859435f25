import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { type LinkState, PAGE_STATES } from "@tapthru/proto/rules/link-health";
import { linkState } from "@tapthru/proto/rules/link-state";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

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

const StaleLink = z.object({
  linkId: z.int(),
  webUrl: z.string(),
  pageState: z.enum(PAGE_STATES),
  /** The tags that the owner saved. */
  ownTags: z.array(z.string()),
});
type StaleLink = z.infer<typeof StaleLink>;

/** Locks at most `limit` links whose state is to be determined; those that another worker locked are left out. */
function lockStaleLinks(
  transaction: Pick<CommonQueryMethods, "any">,
  limit: number,
): Promise<readonly StaleLink[]> {
  return transaction.any(sql.type(StaleLink)`
    SELECT health.link_id AS "linkId", link.web_url AS "webUrl",
      coalesce(product.check_state, 'unknown') AS "pageState",
      ARRAY(SELECT tag FROM channel_tags WHERE channel_tags.user_id = link.user_id) AS "ownTags"
    FROM link_health health JOIN links link ON link.id = health.link_id
    LEFT JOIN products product USING (canonical_url)
    WHERE health.is_stale ORDER BY health.link_id LIMIT ${limit}
    FOR NO KEY UPDATE OF health SKIP LOCKED
  `);
}

/** `since` changes only with the state. */
async function storeLinkStates(
  transaction: Pick<CommonQueryMethods, "query">,
  links: readonly { linkId: number; state: LinkState }[],
): Promise<void> {
  await transaction.query(sql.type(z.object({}))`
    UPDATE link_health health SET state = found.state, is_stale = false,
      since = CASE WHEN health.state = found.state THEN health.since ELSE now() END
    FROM ${sql.unnest(
      links.map(({ linkId, state }) => [linkId, state]),
      ["int8", "text"],
    )} AS found (link_id, state)
    WHERE health.link_id = found.link_id
  `);
}
