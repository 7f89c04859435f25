import { insertLinkChanges } from "@tapthru/core/outbox";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import {
  changeInBatches,
  continueAfter,
  type MassChangeDependencies,
} from "./change-in-batches.ts";

/** Links per transaction. */
export const ROUTED_LINKS_BATCH = 500;

/**
 * Raises the revisions of links whose routing or fallback changed with something that many links share: the owner's tags,
 * settings or channels, the stores that sell a product, or that it is gone. Their outbox rows are relayed like all others. Does not need Redis.
 * @returns whether more may be left
 */
export function changeRoutedLinks(deps: MassChangeDependencies): Promise<boolean> {
  const table = "routing_changes";
  return changeInBatches(deps, {
    kind: "change-routed-links",
    table,
    async changeBatch(transaction, id) {
      const change = await lockRoutingChange(transaction, id);
      if (change === null) return false;
      const lastId = await raiseRevisions(transaction, change, ROUTED_LINKS_BATCH);
      return continueAfter(transaction, { table, id }, lastId);
    },
  });
}

const RoutingChange = z.object({
  /** Null: the change is of a product. */
  userId: z.nullable(z.int()),
  /** Whether links that do as the account says are included. */
  includesDefault: z.boolean(),
  /** Whether all links of the user are. */
  includesAll: z.boolean(),
  asin: z.nullable(z.string()),
  /** Whether the change is of fallbacks, and not of routing. */
  ofFallbacks: z.boolean(),
  /** Links up to this one are done. */
  afterId: z.int(),
});
type RoutingChange = z.infer<typeof RoutingChange>;

function lockRoutingChange(transaction: CommonQueryMethods, id: number) {
  return transaction.maybeOne(sql.type(RoutingChange)`
    SELECT user_id AS "userId", includes_default AS "includesDefault", includes_all AS "includesAll",
      asin, of_fallbacks AS "ofFallbacks", after_id AS "afterId"
    FROM routing_changes WHERE id = ${id} FOR UPDATE
  `);
}

/**
 * Raises the revisions of the next links whose routing or fallback the change can affect, by id. Waits for links that are locked
 * by another transaction.
 * @returns the last one; null: none is left
 */
function raiseRevisions(transaction: CommonQueryMethods, change: RoutingChange, limit: number) {
  return transaction.oneFirst(sql.type(z.object({ lastId: z.nullable(z.int()) }))`
    WITH affected AS (
      SELECT link.id FROM links AS link
      WHERE link.id > ${change.afterId} AND ${affectedBy(change)}
        AND taken_down_at IS NULL
      ORDER BY link.id LIMIT ${limit}
      FOR NO KEY UPDATE
    ), link AS (
      UPDATE links SET revision = links.revision + 1
      FROM affected WHERE links.id = affected.id
      RETURNING links.id, links.short_code, links.revision
    ), change AS (
      ${insertLinkChanges}
    )
    SELECT max(id) AS "lastId" FROM link
  `);
}

function affectedBy(change: RoutingChange): FragmentSqlToken {
  const { userId, includesDefault, includesAll, asin, ofFallbacks } = change;
  const isLive = sql.fragment`(expires_at IS NULL OR expires_at > now())`;
  if (userId !== null) {
    const isAffected = ofFallbacks
      ? sql.fragment`(expires_at IS NOT NULL OR EXISTS (
          SELECT FROM products AS product
          WHERE product.canonical_url = link.canonical_url AND check_state = 'product-gone'
        ))`
      : sql.fragment`(${includesAll} OR coalesce(link.routing, ${includesDefault})) AND ${isLive}`;
    return sql.fragment`link.user_id = ${userId} AND ${isAffected}`;
  }
  const isOfProduct = sql.fragment`
    canonical_url IN (SELECT canonical_url FROM products WHERE product_id = ${asin})`;
  if (ofFallbacks) return sql.fragment`${isOfProduct} AND link.user_id IS NOT NULL`;
  return sql.fragment`${isOfProduct} AND ${isLive}
      AND coalesce(
        link.routing,
        (SELECT is_on FROM routing_settings WHERE routing_settings.user_id = link.user_id)
      )`;
}
