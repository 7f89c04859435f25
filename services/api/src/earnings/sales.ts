import {
  allTagsOf,
  channelOfLink,
  findTagChannels,
  isOneOf,
  isRouted,
  tagKey,
} from "@tapthru/core/earnings/tag-channels";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsMatch } from "@tapthru/proto/rules/earnings";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { amounts, countingRows, inParts, type OwnDays, sums } from "./queries.ts";
import type { MatchedSale } from "./table-rows.ts";

/** The most links found that share tracking id and product. */
const SHARED_LINKS_MAX_COUNT = 100;
/** The most links matched to the products of a tracking id's sales. */
const LINKS_MAX_COUNT = 50_000;
/** A routed link may have any of its channel's tags: as many links to the products of one statement are looked at. */
const ROUTED_LINKS_MAX_COUNT = 20_000;

interface SalesQuery {
  hasDays: boolean;
  /** True to read the links of each sale, not only whether it has one or several. */
  hasLinks: boolean;
  asins?: readonly string[];
}

/** Sales by what they are matched with: links, or the channel of the tracking id. */
export async function findSales(db: Db<"any">, range: OwnDays, query: SalesQuery): Promise<MatchedSale[]> {
  const { userId } = range;
  const found = await inParts(db, range, (part) => db.any(salesQuery({ ...query, userId, rows: countingRows(part) })));
  const channelOfTag = await findTagChannels(db, userId, found);
  return found.map(({ day, marketplace, currency, asin, links, linkCount, linkChannelId, ...sale }) => {
    const { earnings, revenue, ordered, shipped, returned } = sale;
    const channelId = channelOfTag.get(tagKey({ marketplace, tag: sale.tag })) ?? linkChannelId ?? null;
    return {
      match: matchOf(linkCount, channelId),
      links,
      channelId,
      day,
      marketplace,
      currency,
      asin,
      amounts: { earnings, revenue, ordered, shipped, returned },
    };
  });
}

function matchOf(linkCount: number, channelId: number | null): EarningsMatch {
  if (linkCount > 0) return linkCount === 1 ? "link" : "links";
  return channelId === null ? "none" : "channel";
}

const SalesRow = z.object({
  /** Empty: of all days. */
  day: z.string(),
  marketplace: z.string(),
  currency: z.string(),
  tag: z.string(),
  asin: z.string(),
  /** Links that have the tracking id and the product, now or earlier; none for sales that a report calls indirect. */
  links: z.array(z.int()),
  linkCount: z.int(),
  /** Null if these links have several channels. */
  linkChannelId: z.nullable(z.int()),
  ...amounts,
});

interface MatchQuery extends SalesQuery {
  userId: number;
  rows: FragmentSqlToken;
}

/**
 * Links are looked up by tracking id and all its products at once, from indexes alone, and matched by one key: Postgres cannot know the
 * number of rows before, and other joins may take very long.
 */
function salesQuery({ userId, rows, hasDays, hasLinks, asins }: MatchQuery) {
  const channel = channelOfLink(userId);
  const ofProducts =
    asins === undefined ? sql.fragment`` : sql.fragment`AND item.asin = ANY(${sql.array(asins, "text")})`;
  const hasOtherStores = sql.fragment`EXISTS (
    SELECT FROM known WHERE marketplace <> (SELECT min(marketplace) FROM links WHERE user_id = ${userId})
      OR marketplace <> (SELECT max(marketplace) FROM links WHERE user_id = ${userId})
  )`;
  return sql.type(SalesRow)`
    WITH sale AS MATERIALIZED (
      SELECT CASE WHEN ${hasDays} THEN item.day::text ELSE '' END AS day,
        report.marketplace, report.currency, lower(item.tag) AS tag,
        CASE WHEN item.is_direct IS NOT FALSE THEN item.asin ELSE '' END AS asin, ${sums}
      FROM ${rows} ${ofProducts} GROUP BY 1, 2, 3, 4, 5
    ), known AS MATERIALIZED (
      SELECT marketplace, tag, array_agg(DISTINCT asin) AS asins FROM sale WHERE asin <> '' GROUP BY 1, 2
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
    )
    SELECT day, marketplace, currency, tag, CASE WHEN ${hasLinks} AND links IS NOT NULL THEN asin ELSE '' END AS asin,
      CASE WHEN ${hasLinks} AND links IS NOT NULL THEN links ELSE '{}' END AS links,
      least(coalesce(cardinality(links), 0), 2) AS "linkCount", CASE WHEN first = last THEN first END AS "linkChannelId",
      sum(earnings) AS earnings, sum(revenue) AS revenue, sum(ordered) AS ordered, sum(shipped) AS shipped,
      sum(returned) AS returned
    FROM sale LEFT JOIN linked ON key = concat_ws(' ', marketplace, tag, asin) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  `;
}
