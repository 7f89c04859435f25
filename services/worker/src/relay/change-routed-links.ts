import { insertLinkChanges } from "@tapthru/runtime/outbox";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { type BatchResult, changeInBatches } from "./change-in-batches.ts";

/** Links per transaction. */
export const ROUTED_LINKS_BATCH = 500;

/**
 * Raises the revisions of links whose routing changed with something that many links share: the owner's tags or settings,
 * or the stores that sell a product. Their outbox rows are relayed like all others. Does not need Redis.
 * @returns whether more may be left
 */
export function changeRoutedLinks({ db }: { db: CommonQueryMethods }): Promise<boolean> {
  return changeInBatches(db, changeBatch);
}

/** Changes one batch of links; removes the change when it has no more. */
async function changeBatch(transaction: CommonQueryMethods): Promise<BatchResult> {
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

const RoutingChange = z.object({
  id: z.int(),
  /** Null: the change is of a product. */
  userId: z.nullable(z.int()),
  /** Whether links that do as the account says are included. */
  includesDefault: z.boolean(),
  asin: z.nullable(z.string()),
  /** Links up to this one are done. */
  afterId: z.int(),
});
type RoutingChange = z.infer<typeof RoutingChange>;

/** The oldest change that no other relay works on. */
function lockRoutingChange(transaction: CommonQueryMethods): Promise<RoutingChange | null> {
  return transaction.maybeOne(sql.type(RoutingChange)`
    SELECT id, user_id AS "userId", includes_default AS "includesDefault", asin,
      after_id AS "afterId"
    FROM routing_changes ORDER BY id LIMIT 1
    FOR UPDATE SKIP LOCKED
  `);
}

const Batch = z.object({
  /** Null if no link is left. */
  lastId: z.nullable(z.int()),
});

/**
 * Raises the revisions of the next live links whose routing the change can affect, by id. Waits for links that are locked
 * by another transaction.
 */
function raiseRevisions(
  transaction: CommonQueryMethods,
  change: RoutingChange,
  limit: number,
): Promise<z.infer<typeof Batch>> {
  return transaction.one(sql.type(Batch)`
    WITH affected AS (
      SELECT link.id FROM links AS link
      WHERE link.id > ${change.afterId} AND ${affectedBy(change)}
        AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now())
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

function affectedBy({ userId, includesDefault, asin }: RoutingChange): FragmentSqlToken {
  if (userId !== null) {
    return sql.fragment`link.user_id = ${userId} AND coalesce(link.routing, ${includesDefault})`;
  }
  return sql.fragment`
    canonical_url IN (SELECT canonical_url FROM products WHERE product_id = ${asin})
      AND coalesce(
        link.routing,
        (SELECT is_on FROM routing_settings WHERE routing_settings.user_id = link.user_id)
      )`;
}

async function continueAfter(
  transaction: CommonQueryMethods,
  { id }: Pick<RoutingChange, "id">,
  linkId: number,
): Promise<void> {
  await transaction.query(sql.type(z.object({}))`
    UPDATE routing_changes SET after_id = ${linkId} WHERE id = ${id}
  `);
}

async function removeChange(
  transaction: CommonQueryMethods,
  { id }: Pick<RoutingChange, "id">,
): Promise<void> {
  await transaction.query(sql.type(z.object({}))`DELETE FROM routing_changes WHERE id = ${id}`);
}
