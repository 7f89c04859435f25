import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { isMarketplace, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { CheckSource } from "@tapthru/proto/rules/link-health";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const ProductInStore = z.object({
  asin: z.string(),
  store: z.custom<Marketplace>((value) => isMarketplace(String(value))),
  /** Checks in a row that found nothing. */
  attempts: z.int(),
});
export type ProductInStore = z.infer<typeof ProductInStore>;

/** Users whose links a run looks at, and how many of each: the newest, and the next ones of a turn through all. */
const USERS = 30;
const NEWEST_LINKS = 20;
const NEXT_LINKS = 100;

/**
 * Claims at most `limit` products of live routed links that are due for a check in a store to which the link can lead: in
 * turns between owners, new ones first. No other run gets them for ten minutes.
 */
export function claimDueStores(
  db: Pick<CommonQueryMethods, "any">,
  limit: number,
): Promise<readonly ProductInStore[]> {
  return db.any(sql.type(ProductInStore)`
    WITH owner AS MATERIALIZED (
      SELECT user_id, after_id FROM store_checks ORDER BY looked_at LIMIT ${USERS} FOR UPDATE SKIP LOCKED
    ), next AS MATERIALIZED (
      SELECT link.id, owner.user_id FROM owner CROSS JOIN LATERAL (
        SELECT id FROM links WHERE user_id = owner.user_id AND id > owner.after_id ORDER BY id LIMIT ${NEXT_LINKS}
      ) AS link
    ), looked AS (
      UPDATE store_checks SET looked_at = now(),
        after_id = (
          SELECT CASE WHEN count(*) = ${NEXT_LINKS} THEN max(id) ELSE 0 END FROM next
          WHERE next.user_id = store_checks.user_id
        )
      WHERE user_id IN (SELECT user_id FROM owner)
    ), chosen_link AS MATERIALIZED (
      SELECT id FROM next
      UNION SELECT link.id FROM owner CROSS JOIN LATERAL (
        SELECT id FROM links WHERE user_id = owner.user_id ORDER BY id DESC LIMIT ${NEWEST_LINKS}
      ) AS link
    ), due AS (
      SELECT DISTINCT link.user_id, link.asin, tag.marketplace AS store, known.next_check_at
      FROM chosen_link JOIN links AS link USING (id)
      JOIN channels AS channel ON channel.user_id = link.user_id
        AND (channel.id = link.channel_id OR link.channel_id IS NULL AND channel.is_default)
      JOIN channel_tags AS tag ON tag.channel_id = channel.id AND tag.marketplace <> link.marketplace
      LEFT JOIN routing_settings AS setting ON setting.user_id = link.user_id
      LEFT JOIN product_stores AS known ON known.asin = link.asin AND known.store = tag.marketplace
      WHERE coalesce(link.routing, setting.is_on) AND link.taken_down_at IS NULL
        AND (link.expires_at IS NULL OR link.expires_at > now())
        AND link.asin IS NOT NULL AND (known.asin IS NULL OR known.next_check_at <= now())
        AND NOT EXISTS (
          SELECT FROM onelink_stores AS served
          WHERE served.user_id = link.user_id AND served.marketplace = tag.marketplace
        )
    ), numbered AS (
      SELECT asin, store,
        row_number() OVER (PARTITION BY user_id ORDER BY next_check_at NULLS FIRST) AS turn
      FROM due
    ), chosen AS (
      SELECT asin, store FROM numbered GROUP BY asin, store ORDER BY min(turn) LIMIT ${limit}
    )
    INSERT INTO product_stores (asin, store, next_check_at)
    SELECT asin, store, now() + interval '10 minutes' FROM chosen ORDER BY asin, store
    ON CONFLICT (asin, store) DO UPDATE SET next_check_at = excluded.next_check_at
    WHERE product_stores.next_check_at <= now()
    RETURNING asin, store, attempts
  `);
}

interface Found {
  sold: boolean;
  source: CheckSource;
  nextInMs: number;
  keepForMs: number;
}

export async function recordFound(
  db: Pick<CommonQueryMethods, "query">,
  { asin, store }: ProductInStore,
  { sold, source, nextInMs, keepForMs }: Found,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE product_stores SET sold = ${sold}, source = ${source}, checked_at = now(), attempts = 0,
      next_check_at = now() + ${milliseconds(nextInMs)},
      keep_until = now() + ${milliseconds(keepForMs)}
    WHERE asin = ${asin} AND store = ${store}
  `);
}

/** Records that a check found nothing. Earlier results are kept. */
export async function recordNothing(
  db: Pick<CommonQueryMethods, "query">,
  { asin, store }: ProductInStore,
  nextInMs: number,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE product_stores SET attempts = attempts + 1,
      next_check_at = now() + ${milliseconds(nextInMs)}
    WHERE asin = ${asin} AND store = ${store}
  `);
}

/** Postpones a check that was not made. */
export async function postponeCheck(
  db: Pick<CommonQueryMethods, "query">,
  { asin, store }: ProductInStore,
  nextInMs: number,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE product_stores SET next_check_at = now() + ${milliseconds(nextInMs)}
    WHERE asin = ${asin} AND store = ${store}
  `);
}
