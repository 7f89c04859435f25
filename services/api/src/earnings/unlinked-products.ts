import { isRouted, tagChannels } from "@tapthru/core/earnings/tag-channels";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { UnlinkedProduct } from "@tapthru/proto/earnings";
import { dayAt } from "@tapthru/proto/rules/days";
import { sql } from "slonik";
import { findReportedUntil, isOwn } from "./reports.ts";

const RANGE_MS = 89 * 86_400_000;
/** A product that sold on fewer days may be the private matter of one shopper. */
const MIN_DAYS = 3;
const MAX_COUNT = 100;

/** Products that sold again and again in the last 90 days of reports, by the user's tags, and to which none of their links leads. */
export async function findUnlinkedProducts(db: Db<"any" | "oneFirst">, userId: number) {
  const to = await findReportedUntil(db, userId, ["orders", "earnings"]);
  if (to === null) return [];
  const days = { userId, from: dayAt(Date.parse(to) - RANGE_MS), to };
  return db.any(sql.type(UnlinkedProduct)`
    WITH sold AS MATERIALIZED (
      SELECT kind, marketplace, product AS asin, tag, day, sum(coalesce(ordered, shipped)) AS sold
      FROM counted_earnings WHERE ${isOwn(days)} AND product <> '' AND coalesce(ordered, shipped) > 0 GROUP BY 1, 2, 3, 4, 5
    ), repeated AS MATERIALIZED (
      SELECT kind, marketplace, asin, sum(sold) AS sold, count(DISTINCT day) AS days,
        (array_agg("channelId" ORDER BY of_tag DESC))[1] AS channel_id
      FROM (
        SELECT *, sum(sold) OVER (PARTITION BY kind, marketplace, asin, tag) AS of_tag
        FROM sold JOIN (${tagChannels(userId, sql.fragment`SELECT DISTINCT marketplace, tag FROM sold`)}) AS own USING (marketplace, tag)
      ) AS own GROUP BY 1, 2, 3 HAVING count(DISTINCT day) >= ${MIN_DAYS}
    ), once AS (
      -- Reports of orders and of earnings have the same sales.
      SELECT DISTINCT ON (marketplace, asin) * FROM repeated ORDER BY marketplace, asin, days DESC, kind
    )
    SELECT marketplace, once.asin, product.name, channel_id AS "channelId", sold::bigint AS sold, days::int AS days
    FROM once LEFT JOIN earnings_products AS product ON product.user_id = ${userId} AND product.asin = once.asin
    WHERE NOT EXISTS (
      -- Links whose visitors are sent to the store of their country lead to the product in each store.
      SELECT FROM links AS link WHERE link.user_id = ${userId} AND link.asin = once.asin
        AND (link.marketplace = once.marketplace OR ${isRouted(userId)})
    )
    ORDER BY once.sold DESC, once.asin LIMIT ${MAX_COUNT}
  `);
}
