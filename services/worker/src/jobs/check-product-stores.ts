import { followProducts } from "@tapthru/core/links/bulk-updates";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { isMarketplace, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { type Due, dueKind } from "../due.ts";
import { postponementDelay, refreshDelay, retryDelay } from "./scrape-metadata/delays.ts";
import type { MetadataSource, ReadResult } from "./scrape-metadata/source.ts";

const CHECKS_PER_ROUND = 30;
/** How long a result of a source without a limit counts while further checks find nothing. */
const KEEP_FOR_MS = 14 * 24 * 60 * 60 * 1_000;

/**
 * Checks products in stores that are due, one after the other, so that reads for metadata, of which several run at once, go on beside
 * them.
 */
export const checkProductStores = dueKind({
  everyMs: 60_000,
  claim: claimDueStores,
  keyOf: ({ asin, store }) => `${asin} ${store}`,
  work: async ({ db, metadataSource }, product, { signal }) =>
    metadataSource && checkStore({ db, metadataSource }, product, signal),
});

async function checkStore(
  { db, metadataSource }: { db: CommonQueryMethods; metadataSource: MetadataSource },
  product: ProductInStore,
  signal: AbortSignal,
): Promise<void> {
  const { asin, store, attempts } = product;
  const canonicalUrl = `https://www.amazon.${store}/dp/${asin}`;
  const page = { canonicalUrl, marketplace: store, productId: asin };
  const result = await metadataSource.read(page, signal);
  if (result.kind === "postponed") {
    return postponeCheck(db, product, postponementDelay(result.retryInMs, Math.random()), 0);
  }
  const sold = soldByRead(result, asin);
  if (sold === null) {
    const isLasting = result.kind === "nothing" && result.lasting === true;
    const failures = isLasting ? Number.POSITIVE_INFINITY : attempts + 1;
    return postponeCheck(db, product, retryDelay(failures, Math.random()), 1);
  }
  await recordFound(db, product, sold, metadataSource);
}

/**
 * Returns true if a read found that the store sells the product; a product that is out of stock counts as sold. Only
 * a response that names the product proves it, and only one that names another product, or says that the product does not
 * exist, proves the opposite.
 * @returns null if the read proves nothing, for example after a captcha
 */
export function soldByRead(result: ReadResult, asin: string): boolean | null {
  if (result.kind === "nothing") return result.outcome === "gone" ? false : null;
  return result.asin === undefined ? null : result.asin === asin;
}

const ProductInStore = z.object({
  asin: z.string(),
  store: z.custom<Marketplace>((value) => isMarketplace(String(value))),
  /** Checks in a row that found nothing. */
  attempts: z.int(),
});
type ProductInStore = z.infer<typeof ProductInStore>;

/** Users whose links a round looks at, and how many of each: the newest, and the next ones of a turn through all. */
const USERS = 30;
const NEWEST_LINKS = 20;
const NEXT_LINKS = 100;

/**
 * Claims products of live routed links that are due for a check in a store to which the link can lead: in turns between owners,
 * new ones first. No other run gets them for ten minutes.
 */
async function claimDueStores(
  { db, metadataSource }: Pick<App, "db" | "logger" | "metadataSource">,
  { isNotQuarantined }: Due,
) {
  if (metadataSource === null) return [];
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
        AND ${isNotQuarantined(sql.fragment`link.asin || ' ' || tag.marketplace`)}
        AND NOT EXISTS (
          SELECT FROM onelink_stores AS served
          WHERE served.user_id = link.user_id AND served.marketplace = tag.marketplace
        )
    ), numbered AS (
      SELECT asin, store,
        row_number() OVER (PARTITION BY user_id ORDER BY next_check_at NULLS FIRST) AS turn
      FROM due
    ), chosen AS (
      SELECT asin, store FROM numbered GROUP BY asin, store ORDER BY min(turn) LIMIT ${CHECKS_PER_ROUND}
    )
    INSERT INTO product_stores (asin, store, next_check_at)
    SELECT asin, store, now() + interval '10 minutes' FROM chosen ORDER BY asin, store
    ON CONFLICT (asin, store) DO UPDATE SET next_check_at = excluded.next_check_at
    WHERE product_stores.next_check_at <= now()
    RETURNING asin, store, attempts
  `);
}

async function recordFound(
  db: Db<"query">,
  { asin, store }: ProductInStore,
  sold: boolean,
  { name: source, freshForMs, keepForMs }: MetadataSource,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    WITH before AS MATERIALIZED (
      SELECT sold IS TRUE AS was_sold FROM product_stores WHERE asin = ${asin} AND store = ${store} FOR UPDATE
    ), changed AS (SELECT ${asin}::text AS asin FROM before WHERE was_sold <> ${sold}), ${followProducts}
    UPDATE product_stores SET sold = ${sold}, source = ${source}, checked_at = now(), attempts = 0,
      next_check_at = now() + ${milliseconds(refreshDelay(freshForMs, Math.random()))},
      keep_until = now() + ${milliseconds(keepForMs ?? KEEP_FOR_MS)}
    FROM before WHERE asin = ${asin} AND store = ${store}
  `);
}

/** @param failures 1: the check found nothing. Earlier results are kept. */
async function postponeCheck(db: Db<"query">, { asin, store }: ProductInStore, nextInMs: number, failures: 0 | 1) {
  await db.query(sql.type(z.object({}))`
    UPDATE product_stores SET attempts = attempts + ${failures}, next_check_at = now() + ${milliseconds(nextInMs)}
    WHERE asin = ${asin} AND store = ${store}
  `);
}
