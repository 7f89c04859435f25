import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { AttributionFigures, type AttributionRow } from "@tapthru/proto/amazon-ads";
import { ExportedAttribution } from "@tapthru/proto/own-account";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { displayName } from "@tapthru/proto/rules/display-name";
import { ATTRIBUTION_MAX_CAMPAIGNS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { findLinkNames, type OwnDays } from "../earnings/queries.ts";

const MAX_LINKS = 500;
/** Campaigns and ad groups. */
const MAX_ROWS = 5_000;

/** Campaigns, and ad groups with links, each with the most clicks first. */
export async function attributionRows(
  { db, publicBaseUrl }: { db: Db<"any">; publicBaseUrl: string },
  { userId, from, to }: OwnDays,
): Promise<AttributionRow[]> {
  const rows = await db.any(sql.type(AttributionFigures)`
    SELECT advertiser, campaign_id AS "campaignId", ad_group_id AS "adGroupId", currency, sum(clicks)::int AS clicks,
      sum(detail_page_views)::int AS "detailPageViews", sum(cart_additions)::int AS "cartAdditions",
      sum(purchases)::int AS purchases, sum(sales)::int8 AS sales
    FROM amazon_ads_figures
    WHERE user_id = ${userId} AND day BETWEEN ${from}::text::date AND ${to}::text::date
    GROUP BY advertiser, campaign_id, currency, GROUPING SETS ((), (ad_group_id))
    ORDER BY ad_group_id IS NOT NULL, sum(clicks) DESC, campaign_id, ad_group_id, currency, advertiser LIMIT ${MAX_ROWS}
  `);
  const linksOf = await findLinks(db, userId);
  const campaigns = rows.filter(({ adGroupId }) => adGroupId === null).slice(0, ATTRIBUTION_MAX_CAMPAIGNS);
  const groups = rows.map((row) => ({ ...row, linkIds: linksOf.get(keyOf(row)) ?? [] }));
  const linked = groups.filter(({ linkIds }) => linkIds.length > 0);
  const { host } = new URL(publicBaseUrl);
  const links = (
    await findLinkNames(
      db,
      userId,
      linked.flatMap(({ linkIds }) => linkIds),
    )
  ).map(({ id, shortCode, ...link }) => ({ id, shortCode, name: displayName(link, host) }));
  return [
    ...campaigns.map((row) => ({ ...row, links: [] })),
    ...linked.map((row) => ({ ...row, links: links.filter(({ id }) => row.linkIds.includes(id)) })),
  ];
}

const keyOf = (row: { campaignId?: string | null; adGroupId: string | null }) =>
  JSON.stringify([row.campaignId, row.adGroupId]);

/** Ids of links by campaign and ad group. Those of `maas` are the advertiser's and publisher's. */
async function findLinks(db: Db<"any">, userId: number): Promise<ReadonlyMap<string, number[]>> {
  const found = await db.any(sql.type(z.object({ id: z.int(), webUrl: z.string() }))`
    SELECT id, web_url AS "webUrl" FROM links
    WHERE user_id = ${userId} AND tag = 'maas' AND marketplace = ANY(${sql.array(Object.keys(MARKETPLACES), "text")})
    LIMIT ${MAX_LINKS}
  `);
  const idsOf = new Map<string, number[]>();
  for (const { id, webUrl } of found) {
    const query = new URL(webUrl).searchParams;
    const adGroupId = query.get("aa_adgroupid");
    const key = keyOf({ campaignId: query.get("aa_campaignid"), adGroupId });
    if (adGroupId !== null) idsOf.set(key, [...(idsOf.get(key) ?? []), id]);
  }
  return idsOf;
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
