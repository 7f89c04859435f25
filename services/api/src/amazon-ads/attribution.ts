import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { AttributionFigures, type AttributionRow } from "@tapthru/proto/amazon-ads";
import { ExportedAttribution } from "@tapthru/proto/own-account";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { displayName } from "@tapthru/proto/rules/display-name";
import { ATTRIBUTION_MAX_CAMPAIGNS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { LinkName, type OwnDays } from "../earnings/queries.ts";

/** Campaigns, and ad groups with links, each with the most clicks first. */
export async function attributionRows(
  { db, publicBaseUrl }: { db: Db<"any">; publicBaseUrl: string },
  { userId, from, to }: OwnDays,
): Promise<AttributionRow[]> {
  const rows = await db.any(sql.type(AttributionFigures)`
    SELECT advertiser, campaign_id AS "campaignId", ad_group_id AS "adGroupId", currency, sum(clicks)::int8 AS clicks,
      sum(detail_page_views)::int8 AS "detailPageViews", sum(cart_additions)::int8 AS "cartAdditions",
      sum(purchases)::int8 AS purchases, sum(sales)::int8 AS sales
    FROM amazon_ads_figures
    WHERE user_id = ${userId} AND day BETWEEN ${from}::text::date AND ${to}::text::date
    GROUP BY advertiser, campaign_id, currency, GROUPING SETS ((), (ad_group_id))
    ORDER BY ad_group_id IS NOT NULL, sum(clicks) DESC, campaign_id, ad_group_id, currency, advertiser LIMIT 5000
  `);
  const { host } = new URL(publicBaseUrl);
  const linksOf = Map.groupBy(await findAttributionLinks(db, userId), ({ webUrl }) => {
    const query = new URL(webUrl).searchParams;
    return JSON.stringify([query.get("aa_campaignid"), query.get("aa_adgroupid")]);
  });
  const withLinks = rows.map((row) => ({
    ...row,
    links: (linksOf.get(JSON.stringify([row.campaignId, row.adGroupId])) ?? []).map(({ shortCode, ...link }) => ({
      shortCode,
      name: displayName(link, host),
    })),
  }));
  return [
    ...withLinks.filter(({ adGroupId }) => adGroupId === null).slice(0, ATTRIBUTION_MAX_CAMPAIGNS),
    ...withLinks.filter(({ adGroupId, links }) => adGroupId !== null && links.length > 0),
  ];
}

/** By their tag. `maas` names only the advertiser and the publisher. */
function findAttributionLinks(db: Db<"any">, userId: number) {
  return db.any(sql.type(z.extend(LinkName, { webUrl: z.string() }))`
    SELECT link.id, link.short_code AS "shortCode", link.nickname, coalesce(link.title, product.title, link.page_title) AS title,
      link.original_url AS "originalUrl", link.web_url AS "webUrl"
    FROM links AS link LEFT JOIN products AS product USING (canonical_url)
    WHERE user_id = ${userId} AND tag = 'maas'
      AND link.marketplace = ANY(${sql.array(Object.keys(MARKETPLACES), "text")}) LIMIT 500
  `);
}

const ROWS_PER_PAGE = 2_000;

/** For the export of the account. A page ends with a day. */
export async function* attributionPages(db: Db<"any">, userId: number): AsyncGenerator<readonly ExportedAttribution[]> {
  for (let after: string | undefined = "-infinity"; after !== undefined; ) {
    const rows: readonly ExportedAttribution[] = await db.any(sql.type(ExportedAttribution)`
      SELECT day::text AS day, advertiser, campaign_id AS "campaignId", ad_group_id AS "adGroupId", currency, clicks,
        detail_page_views AS "detailPageViews", cart_additions AS "cartAdditions", purchases, sales
      FROM amazon_ads_figures AS figure WHERE user_id = ${userId} AND figure.day > ${after}::text::date
      ORDER BY figure.day FETCH FIRST ${ROWS_PER_PAGE} ROWS WITH TIES
    `);
    yield rows;
    after = rows.at(-1)?.day;
  }
}
