import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Db } from "../platform/postgres/postgres.ts";
import { LinksOfOne } from "./taken-down-links.ts";

/** Changes of many links, which the relay makes in batches. The worker's `bulk-update-kinds.ts` says which links change, and how. */
export const BULK_UPDATES = {
  "take-down": z.object({ links: LinksOfOne, isTakenDown: z.boolean() }),
  /** A page's metadata, or whether it is gone; or which stores sell a product. */
  "product-state": z.union([z.object({ canonicalUrl: z.string() }), z.object({ asin: z.string() })]),
  /** All links of a user to the product `from` open `to`; with `undoOf`, those to which the change made at that time gave `from`. */
  product: z.object({
    userId: z.int(),
    marketplace: z.string(),
    from: z.string(),
    to: z.string(),
    changedAt: z.string(),
    undoOf: z.optional(z.string()),
  }),
  label: z.object({ userId: z.int(), labelId: z.int(), isDeleted: z._default(z.boolean(), false) }),
  "delete-channel": z.object({ userId: z.int(), channelId: z.int() }),
};

export type BulkUpdateKind = keyof typeof BULK_UPDATES;

/** A later change of such a kind may undo an earlier one. The others make of links what is stored when they are made. */
const MAY_UNDO: ReadonlySet<BulkUpdateKind> = new Set(["take-down", "product"]);

/** Inserts changes, each once. An equal one that waits is enough: the relay does not begin with it before the end of the transaction. */
const insertChanges = (kind: BulkUpdateKind, payloads: FragmentSqlToken) => sql.fragment`
  INSERT INTO bulk_updates (kind, payload)
  SELECT DISTINCT ${kind}::text, payload FROM (${payloads}) AS new (payload)
  WHERE ${MAY_UNDO.has(kind)} OR NOT EXISTS (
    SELECT FROM bulk_updates AS waiting
    WHERE waiting.kind = ${kind} AND waiting.owner = bulk_update_owner(new.payload) AND waiting.payload = new.payload
      AND after_id = 0
    FOR SHARE SKIP LOCKED
  )`;

/**
 * Has the relay change many links, after the statement of the same transaction from which their change follows.
 * @param when a condition, in SQL
 */
export async function addBulkUpdate<Kind extends BulkUpdateKind>(
  transaction: Db<"query">,
  kind: Kind,
  payload: z.input<(typeof BULK_UPDATES)[Kind]>,
  when: FragmentSqlToken = sql.fragment`true`,
): Promise<void> {
  const payloads = sql.fragment`SELECT ${JSON.stringify(payload)}::jsonb WHERE ${when}`;
  await transaction.query(sql.type(z.object({}))`${insertChanges(kind, payloads)}`);
}

/** A CTE by which links follow products. The rows of the statement's CTE `changed` are payloads. */
export const followProducts = sql.fragment`bulk_update AS (
    ${insertChanges("product-state", sql.fragment`SELECT to_jsonb(changed) FROM changed`)}
  )`;
