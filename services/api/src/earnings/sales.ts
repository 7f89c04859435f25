import { allTagsOf, channelOfLink, isOneOf, isRouted, tagChannels } from "@tapthru/core/earnings/tag-channels";
import { type FragmentSqlToken, sql } from "slonik";
import { countedSales, type OwnDays } from "./reports.ts";

/** The most links found that share tracking id and product. */
const SHARED_LINKS_MAX_COUNT = 100;
/** The most links matched to the products of a tracking id's sales. */
const LINKS_MAX_COUNT = 50_000;
/** A routed link may have any of its channel's tags: as many links to the products of sales are looked at. */
const ROUTED_LINKS_MAX_COUNT = 20_000;

/** Null: no report of the kind has a row. */
export const SUMS: FragmentSqlToken = sql.fragment`
  sum(earnings) AS earnings, sum(revenue) AS revenue, sum(ordered) AS ordered, sum(shipped) AS shipped, sum(returned) AS returned
`;

interface SalesQuery extends OwnDays {
  hasDays?: boolean;
  asins?: readonly string[] | undefined;
}

/**
 * The queries of a WITH clause, of which the last is `matched`: the sums of sales with the ids of the links that have their tracking id and
 * product, now or earlier, and else the channel of the tracking id, or of all these links; what a report calls indirect has no link.
 *
 * Links are looked up by tracking id and all its products at once, from indexes alone, and matched by one key: Postgres cannot know the
 * number of rows before, and other joins may take very long.
 */
export function matchedSales({ hasDays = false, asins, ...days }: SalesQuery): FragmentSqlToken {
  const { userId } = days;
  const channel = channelOfLink(userId);
  const ofProducts = asins === undefined ? sql.fragment`` : sql.fragment`AND asin = ANY(${sql.array(asins, "text")})`;
  const hasOtherStores = sql.fragment`EXISTS (
    SELECT FROM known WHERE marketplace <> (SELECT min(marketplace) FROM links WHERE user_id = ${userId})
      OR marketplace <> (SELECT max(marketplace) FROM links WHERE user_id = ${userId})
  )`;
  return sql.fragment`
    sold AS MATERIALIZED (
      SELECT CASE WHEN ${hasDays} THEN day END AS day, marketplace, currency, tag, asin, ${SUMS}
      FROM ${countedSales(days)} ${ofProducts} GROUP BY 1, 2, 3, 4, 5
    ), known AS MATERIALIZED (
      SELECT marketplace, tag, array_agg(DISTINCT asin) AS asins FROM sold WHERE asin <> '' GROUP BY 1, 2
    ), earlier AS MATERIALIZED (
      SELECT known.marketplace, known.tag, page.* FROM known CROSS JOIN LATERAL (
        SELECT asin, link_id FROM link_destinations AS page
        WHERE page.user_id = ${userId} AND page.marketplace = known.marketplace AND page.tag = known.tag AND asin = ANY(asins) LIMIT ${LINKS_MAX_COUNT}
      ) AS page
    ), routed AS MATERIALIZED (
      SELECT id, asin, marketplace, channel FROM (
        SELECT id, asin, marketplace, ${channel} AS channel, ${isRouted(userId)} AS is_routed FROM links AS link
        WHERE user_id = ${userId} AND ${hasOtherStores} AND asin = ANY(ARRAY(
          SELECT DISTINCT unnest(asins) FROM known JOIN channel_tags AS own ON own.user_id = ${userId}
            AND own.marketplace = known.marketplace AND lower(own.tag) = known.tag
        )) LIMIT ${ROUTED_LINKS_MAX_COUNT}
      ) AS link WHERE is_routed
    ), linked AS MATERIALIZED (
      SELECT concat_ws(' ', marketplace, tag, asin) AS key,
        (array_agg(DISTINCT id ORDER BY id))[:${SHARED_LINKS_MAX_COUNT}] AS links, min(channel) AS first, max(channel) AS last
      FROM (
        SELECT known.marketplace, known.tag, link.* FROM known CROSS JOIN LATERAL (
          SELECT asin, id, ${channel} AS channel FROM links AS link
          WHERE link.user_id = ${userId} AND link.marketplace = known.marketplace AND link.tag = known.tag
            AND asin = ANY(asins) LIMIT ${LINKS_MAX_COUNT}
        ) AS link
        UNION ALL
        SELECT marketplace, tag, link.* FROM known JOIN (${allTagsOf(userId)}) AS had USING (marketplace, tag)
        CROSS JOIN LATERAL (
          SELECT asin, id, channel_id FROM links AS link
          WHERE link.user_id = ${userId} AND link.marketplace = known.marketplace AND link.channel_id = had.channel_id
            AND follows_channel AND asin = ANY(asins) LIMIT ${LINKS_MAX_COUNT}
        ) AS link WHERE had.ended_at > '-infinity'
        UNION ALL
        SELECT earlier.marketplace, earlier.tag, earlier.asin, link.id, ${channel}
        FROM earlier JOIN links AS link ON link.id = link_id
        WHERE ${isOneOf(userId, sql.fragment`SELECT link_id FROM earlier`)}
        UNION ALL
        SELECT own.marketplace, lower(own.tag), asin, id, channel
        FROM routed JOIN channel_tags AS own ON own.channel_id = channel AND own.marketplace <> routed.marketplace
      ) AS link GROUP BY 1
    ), tagged AS MATERIALIZED (
      ${tagChannels(userId, sql.fragment`SELECT DISTINCT marketplace, tag FROM sold`)}
    ), matched AS MATERIALIZED (
      SELECT *, CASE WHEN cardinality(links) = 1 THEN 'link' WHEN links <> '{}' THEN 'links' WHEN channel_id IS NULL THEN 'none' ELSE 'channel' END AS match
      FROM (
        SELECT day, marketplace, currency, asin, coalesce(links, '{}') AS links,
          coalesce("channelId", CASE WHEN first = last THEN first END) AS channel_id, earnings, revenue, ordered, shipped, returned
        FROM sold LEFT JOIN linked ON key = concat_ws(' ', marketplace, tag, asin) LEFT JOIN tagged USING (marketplace, tag)
      ) AS sale
    )
  `;
}
