import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { AttributionFigures, type AttributionTable } from "@tapthru/proto/amazon-ads";
import { ExportedAttribution } from "@tapthru/proto/own-account";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { displayName } from "@tapthru/proto/rules/display-name";
import { ATTRIBUTION_MAX_CAMPAIGNS, ATTRIBUTION_MAX_LINKS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { findLinkNames, type OwnDays } from "../earnings/queries.ts";

const sums = sql.fragment`
  advertiser, campaign_id AS "campaignId", currency, sum(clicks)::int AS clicks,
  sum(detail_page_views)::int AS "detailPageViews", sum(cart_additions)::int AS "cartAdditions",
  sum(purchases)::int AS purchases, sum(sales)::int8 AS sales
`;
const ofDays = ({ userId, from, to }: OwnDays) => sql.fragment`
  user_id = ${userId} AND day BETWEEN ${from}::text::date AND ${to}::text::date
`;

const Campaign = z.extend(AttributionFigures, { campaignCount: z.int() });

export async function findCampaigns(
  db: Db<"any">,
  range: OwnDays,
): Promise<Pick<AttributionTable, "campaigns" | "omittedCampaignCount">> {
  const campaigns = await db.any(sql.type(Campaign)`
    SELECT ${sums}, (count(*) OVER ())::int AS "campaignCount" FROM amazon_ads_figures WHERE ${ofDays(range)}
    GROUP BY advertiser, campaign_id, currency
    ORDER BY sum(clicks) DESC, campaign_id, advertiser, currency LIMIT ${ATTRIBUTION_MAX_CAMPAIGNS}
  `);
  return { campaigns: [...campaigns], omittedCampaignCount: (campaigns[0]?.campaignCount ?? 0) - campaigns.length };
}

const AttributionLink = z.object({ id: z.int(), webUrl: z.string() });
const AdGroup = z.extend(AttributionFigures, { adGroupId: z.string() });

/** Links with an address of Amazon Attribution, whose other parameters do not name a campaign: `maas` names the advertiser. */
export async function findFiguresOfLinks(
  { db, publicBaseUrl }: { db: Db<"any">; publicBaseUrl: string },
  range: OwnDays,
): Promise<AttributionTable["links"]> {
  const found = await db.any(sql.type(AttributionLink)`
    SELECT id, web_url AS "webUrl" FROM links
    WHERE user_id = ${range.userId} AND tag = 'maas' AND marketplace = ANY(${sql.array(Object.keys(MARKETPLACES), "text")})
    LIMIT ${ATTRIBUTION_MAX_LINKS}
  `);
  const named = found.flatMap(({ id, webUrl }) => {
    const query = URL.parse(webUrl)?.searchParams;
    const [campaignId, adGroupId] = [query?.get("aa_campaignid"), query?.get("aa_adgroupid")];
    return campaignId && adGroupId ? [{ id, campaignId, adGroupId }] : [];
  });
  const groups = await db.any(sql.type(AdGroup)`
    SELECT ${sums}, ad_group_id AS "adGroupId" FROM amazon_ads_figures
    WHERE ${ofDays(range)} AND (campaign_id, ad_group_id) IN (SELECT * FROM ${sql.unnest(
      named.map(({ campaignId, adGroupId }) => [campaignId, adGroupId]),
      ["text", "text"],
    )})
    GROUP BY advertiser, campaign_id, ad_group_id, currency
    ORDER BY sum(clicks) DESC, campaign_id, ad_group_id, advertiser, currency
  `);
  const names = await findLinkNames(
    db,
    range.userId,
    named.map(({ id }) => id),
  );
  const { host } = new URL(publicBaseUrl);
  return groups.map((group) => ({
    ...group,
    links: named
      .filter(({ campaignId, adGroupId }) => campaignId === group.campaignId && adGroupId === group.adGroupId)
      .flatMap(({ id }) => names.filter((link) => link.id === id))
      .map(({ shortCode, ...link }) => ({ shortCode, name: displayName(link, host) })),
  }));
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
