import { type LinkState, PAGE_STATES } from "@tapthru/proto/rules/link-health";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const StaleLink = z.object({
  linkId: z.int(),
  webUrl: z.string(),
  pageState: z.enum(PAGE_STATES),
  /** The tags that the owner saved. */
  ownTags: z.array(z.string()),
});
export type StaleLink = z.infer<typeof StaleLink>;

/** Locks at most `limit` links whose state is to be determined; those that another worker locked are left out. */
export function lockStaleLinks(
  transaction: Pick<CommonQueryMethods, "any">,
  limit: number,
): Promise<readonly StaleLink[]> {
  return transaction.any(sql.type(StaleLink)`
    SELECT health.link_id AS "linkId", link.web_url AS "webUrl",
      coalesce(product.check_state, 'unknown') AS "pageState",
      ARRAY(SELECT tag FROM store_tags WHERE store_tags.user_id = link.user_id) AS "ownTags"
    FROM link_health health JOIN links link ON link.id = health.link_id
    LEFT JOIN products product USING (canonical_url)
    WHERE health.is_stale ORDER BY health.link_id LIMIT ${limit}
    FOR NO KEY UPDATE OF health SKIP LOCKED
  `);
}

/** `since` changes only with the state. */
export async function storeLinkStates(
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
