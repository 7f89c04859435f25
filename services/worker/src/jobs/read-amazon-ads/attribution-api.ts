import { AmazonError, createTokenSealer, requestAmazon, TOKEN_REQUEST } from "@tapthru/core/amazon-ads";
import { ADS_API_HOSTS, type SafeFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { fractionDigits } from "@tapthru/proto/rules/money";
import * as z from "zod/mini";

/** Of one read, of all profiles and pages. */
export const MAX_REQUESTS = 120;
/** At most 5,000. With 1,000 a page is about 0.5 MB, below what is read of a response. */
const ROWS_PER_PAGE = 1_000;
/** What Amazon attributes to a click on any product of the brand, within 14 days. Events are of the day on which they occurred. */
const METRICS =
  "Click-throughs,attributedTotalDetailPageViewsClicks14d,attributedTotalAddToCartClicks14d,attributedTotalPurchases14d,totalAttributedSales14d";

const text = z.string().check(z.maxLength(500));
/** Numbers are texts in some responses. */
const count = z.coerce.number().check(z.int(), z.gte(0), z.lte(2_147_483_647));
const amount = z.coerce.number().check(z.gte(-1e12), z.lte(1e12));

const Token = z.object({ access_token: z.string().check(z.minLength(1), z.maxLength(4_096)) });
const Profiles = z.array(
  z.object({ profileId: z.union([z.int(), text]), currencyCode: z.string().check(z.length(3), z.regex(/^[A-Z]{3}$/)) }),
);
const Advertisers = z.object({ advertisers: z.nullish(z.array(z.object({ advertiserId: text }))) });
const Report = z.object({
  cursorId: z.nullish(z.string().check(z.maxLength(4_096))),
  reports: z.array(
    z.object({
      /** YYYYMMDD */
      date: z.string().check(z.length(8), z.regex(/^\d{8}$/)),
      advertiserName: text,
      campaignId: text,
      adGroupId: text,
      "Click-throughs": count,
      attributedTotalDetailPageViewsClicks14d: count,
      attributedTotalAddToCartClicks14d: count,
      attributedTotalPurchases14d: count,
      totalAttributedSales14d: amount,
    }),
  ),
});

/** In the order of the columns of `amazon_ads_figures`, without the user. */
export type FiguresRow = [
  ...[day: string, advertiser: string, currency: string, campaignId: string, adGroupId: string],
  ...[clicks: number, detailPageViews: number, cartAdditions: number, purchases: number, sales: number],
];

export interface Attribution {
  /** Whether any profile has an advertiser of Amazon Attribution. */
  hasAttribution: boolean;
  rows: FiguresRow[];
}

export type AttributionApi = ReturnType<typeof createAttributionApi>;

interface AttributionApiOptions {
  clientId: string;
  clientSecret: string;
  /** Newest first. */
  encryptionKeys: readonly string[];
  safeFetch: SafeFetch;
}

/** advertising.amazon.com/API/docs/en-us/amazon-attribution-prod-3p */
export function createAttributionApi({ clientId, clientSecret, encryptionKeys, safeFetch }: AttributionApiOptions) {
  const sealer = createTokenSealer(encryptionKeys);
  return {
    /**
     * The performance report by day and ad group, of all profiles in all regions: a token is valid in each.
     * @param days both included, in ISO format
     * @throws AmazonError, SealError
     */
    async read(
      { userId, sealedRefreshToken }: { userId: number; sealedRefreshToken: string },
      days: { from: string; to: string },
      deadline: AbortSignal,
    ): Promise<Attribution> {
      const grant = { grant_type: "refresh_token", refresh_token: sealer.open(sealedRefreshToken, userId) };
      const form = new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret });
      const { access_token } = await requestAmazon(safeFetch, Token, {
        ...TOKEN_REQUEST,
        body: form.toString(),
        deadline,
      });
      let requests = 0;
      const request = <Schema extends z.ZodMiniType>(url: string, schema: Schema, profile?: string, body?: object) => {
        if (++requests > MAX_REQUESTS) throw new AmazonError(`The account needs more than ${MAX_REQUESTS} requests`);
        return requestAmazon(safeFetch, schema, {
          url,
          purpose: "amazon-ads",
          ...(body && { method: "POST", body: JSON.stringify(body) }),
          headers: {
            accept: "application/json",
            authorization: `Bearer ${access_token}`,
            "amazon-advertising-api-clientid": clientId,
            ...(profile && { "amazon-advertising-api-scope": profile }),
            ...(body && { "content-type": "application/json" }),
          },
          deadline,
        });
      };

      const found: Attribution = { hasAttribution: false, rows: [] };
      for (const api of ADS_API_HOSTS.map((host) => `https://${host}`)) {
        for (const { profileId, currencyCode } of await request(`${api}/v2/profiles`, Profiles)) {
          const profile = String(profileId);
          const { advertisers } = await request(`${api}/attribution/advertisers`, Advertisers, profile).catch(
            noneIfRefused,
          );
          if (!advertisers?.length) continue;
          found.hasAttribution = true;
          const query = {
            reportType: "PERFORMANCE",
            groupBy: "ADGROUP",
            advertiserIds: advertisers.map(({ advertiserId }) => advertiserId).join(),
            startDate: days.from.replaceAll("-", ""),
            endDate: days.to.replaceAll("-", ""),
            metrics: METRICS,
            count: ROWS_PER_PAGE,
          };
          let page: z.output<typeof Report> = { cursorId: "", reports: [] };
          do {
            page = await request(`${api}/attribution/report`, Report, profile, { ...query, cursorId: page.cursorId });
            found.rows.push(...page.reports.map((row) => figuresRow(row, currencyCode)));
          } while (page.cursorId && page.reports.length > 0);
        }
      }
      return found;
    },
  };
}

/** Amazon refuses profiles without an Attribution account: "This profileID is not authorized to use Amazon Attribution". */
function noneIfRefused(error: unknown): z.output<typeof Advertisers> {
  if (error instanceof AmazonError && [400, 401, 403, 404].includes(error.status ?? 0)) return { advertisers: [] };
  throw error;
}

function figuresRow(row: z.output<typeof Report>["reports"][number], currency: string): FiguresRow {
  return [
    row.date,
    row.advertiserName,
    currency,
    row.campaignId,
    row.adGroupId,
    row["Click-throughs"],
    row.attributedTotalDetailPageViewsClicks14d,
    row.attributedTotalAddToCartClicks14d,
    row.attributedTotalPurchases14d,
    Math.round(row.totalAttributedSales14d * 10 ** fractionDigits(currency)),
  ];
}
