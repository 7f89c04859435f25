import { channelOfLink, findTagChannels, isRouted, tagKey } from "@tapthru/core/earnings/tag-channels";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsMatch } from "@tapthru/proto/rules/earnings";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { amounts, countingRows, inParts, type OwnDays, sums } from "./queries.ts";
import type { MatchedSale } from "./table-rows.ts";

/** Of links that share tracking id and product, as many at most are found. */
const SHARED_LINKS_MAX_COUNT = 100;
/** A routed link may have any of its channel's tags: as many links to a product are looked at. */
const ROUTED_LINKS_MAX_COUNT = 1_000;

interface SalesQuery {
  hasDays: boolean;
  /** If given, only sales of these products are read. */
  asins?: readonly string[];
}

/** Sales by what they are matched with: links, or the channel of the tracking id. */
export async function findSales(db: Db<"any">, range: OwnDays, query: SalesQuery): Promise<MatchedSale[]> {
  const { userId } = range;
  const found = await inParts(db, range, (part) => db.any(salesQuery({ ...query, userId, rows: countingRows(part) })));
  const channelOfTag = await findTagChannels(db, userId, found);
  return found.map(({ day, marketplace, currency, asin, links, linkChannelId, ...sale }) => {
    const { earnings, revenue, ordered, shipped, returned } = sale;
    const channelId = channelOfTag.get(tagKey({ marketplace, tag: sale.tag })) ?? linkChannelId ?? null;
    return {
      match: matchOf(links, channelId),
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

function matchOf(links: readonly number[], channelId: number | null): EarningsMatch {
  if (links.length > 0) return links.length === 1 ? "link" : "links";
  return channelId === null ? "none" : "channel";
}

const SalesRow = z.object({
  /** Empty: of all days. */
  day: z.string(),
  marketplace: z.string(),
  currency: z.string(),
  tag: z.string(),
  /** Of the links; empty without. */
  asin: z.string(),
  /** That have the tracking id and the product, now or earlier. None for what a report calls indirect. */
  links: z.array(z.int()),
  /** Null if these links are of several channels. */
  linkChannelId: z.nullable(z.int()),
  ...amounts,
});

interface MatchQuery extends SalesQuery {
  userId: number;
  rows: FragmentSqlToken;
}

/** Whether a link leads to the product of an `item`, or led to it with its tracking id. */
const mayHaveLinks = (userId: number) => sql.fragment`(
  EXISTS (SELECT FROM links AS link WHERE link.user_id = ${userId} AND link.asin = item.asin)
  OR EXISTS (
    SELECT FROM link_destinations AS earlier JOIN links AS link ON link.id = earlier.link_id
    WHERE link.user_id = ${userId} AND earlier.marketplace = report.marketplace
      AND earlier.tag = lower(item.tag) AND earlier.asin = item.asin
  )
)`;

/** Only the links of pairs of tracking id and product that the rows have are looked up: a user may have very many. */
function salesQuery({ userId, rows, hasDays, asins }: MatchQuery) {
  const channel = channelOfLink(userId);
  const isOfSale = (page: FragmentSqlToken) => sql.fragment`
    link.user_id = ${userId} AND ${page}.marketplace = wanted.marketplace AND ${page}.tag = wanted.tag
      AND ${page}.asin = wanted.asin
  `;
  const ofProducts =
    asins === undefined ? sql.fragment`` : sql.fragment`AND item.asin = ANY(${sql.array(asins, "text")})`;
  return sql.type(SalesRow)`
    WITH sale AS MATERIALIZED (
      SELECT row_number() OVER () AS place, CASE WHEN ${hasDays} THEN item.day::text ELSE '' END AS day,
        report.marketplace, report.currency, lower(item.tag) AS tag,
        CASE WHEN item.is_direct IS NOT FALSE AND ${mayHaveLinks(userId)} THEN item.asin ELSE '' END AS asin,
        ${sums}
      FROM ${rows} ${ofProducts} GROUP BY 2, 3, 4, 5, 6
    ), routed AS MATERIALIZED (
      SELECT marketplace, lower(tag) AS tag, array_agg(channel_id) AS channels
      FROM channel_tags WHERE user_id = ${userId} GROUP BY 1, 2
    ), wanted AS MATERIALIZED (
      SELECT place, sale.marketplace, sale.tag, asin, channels
      FROM sale LEFT JOIN routed USING (marketplace, tag)
      WHERE asin <> ''
    ), linked AS MATERIALIZED (
      SELECT place, found.*
      FROM wanted CROSS JOIN LATERAL (
        SELECT array_agg(id ORDER BY id) AS links, min(channel) AS first, max(channel) AS last FROM (
          (
            SELECT id, ${channel} AS channel FROM links AS link WHERE ${isOfSale(sql.fragment`link`)}
            LIMIT ${SHARED_LINKS_MAX_COUNT}
          ) UNION (
            SELECT link.id, ${channel} FROM link_destinations AS earlier JOIN links AS link ON link.id = link_id
            WHERE ${isOfSale(sql.fragment`earlier`)} LIMIT ${SHARED_LINKS_MAX_COUNT}
          ) UNION (
            SELECT id, channel FROM (
              SELECT id, link.marketplace, ${channel} AS channel, ${isRouted(userId)} AS is_routed
              FROM links AS link WHERE user_id = ${userId} AND asin = wanted.asin AND channels IS NOT NULL
              LIMIT ${ROUTED_LINKS_MAX_COUNT}
            ) AS link
            WHERE is_routed AND link.marketplace <> wanted.marketplace AND channel = ANY(channels)
            LIMIT ${SHARED_LINKS_MAX_COUNT}
          )
        ) AS links
      ) AS found WHERE links IS NOT NULL
    )
    SELECT day, marketplace, currency, tag, CASE WHEN links IS NULL THEN '' ELSE asin END AS asin,
      coalesce(links, '{}') AS links, CASE WHEN first = last THEN first END AS "linkChannelId",
      sum(earnings) AS earnings, sum(revenue) AS revenue, sum(ordered) AS ordered, sum(shipped) AS shipped,
      sum(returned) AS returned
    FROM sale LEFT JOIN linked USING (place) GROUP BY 1, 2, 3, 4, 5, 6, 7
  `;
}
