import { AmazonError, createTokenSealer, requestAmazon, TOKEN_REQUEST } from "@tapthru/core/amazon-ads";
import type { Config } from "@tapthru/core/platform/config/configs";
import type { SafeFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { fractionDigits } from "@tapthru/proto/rules/money";
import * as z from "zod/mini";

/** Of one read, of all profiles and pages. */
export const MAX_REQUESTS = 120;
/** About 0.5 MB, below what is read of a response. */
const ROWS_PER_PAGE = 1_000;
/** North America, Europe and the Far East. */
const APIS = ["", "-eu", "-fe"].map((region) => `https://advertising-api${region}.amazon.com`);

const text = z.string().check(z.maxLength(500));
/** Anybody who opens a link can write another campaign and ad group into the address. */
const written = z.pipe(
  z.string(),
  z.transform((value) => value.slice(0, 500).replaceAll("\0", "").toWellFormed()),
);
/** Some responses have numbers as texts. */
const count = z.coerce.number().check(z.int(), z.gte(0), z.lte(2_147_483_647));
/** What Amazon attributes to a click within 14 days, for all products of the brand, on the day on which it happened. */
const METRICS = {
  "Click-throughs": count,
  attributedTotalDetailPageViewsClicks14d: count,
  attributedTotalAddToCartClicks14d: count,
  attributedTotalPurchases14d: count,
  totalAttributedSales14d: z.coerce.number().check(z.gte(-1e12), z.lte(1e12)),
};

const Token = z.object({ access_token: z.string().check(z.minLength(1), z.maxLength(4_096)) });
const Profiles = z.array(
  z.object({ profileId: z.union([z.int(), text]), currencyCode: z.string().check(z.length(3)) }),
);
const Advertisers = z.object({ advertisers: z.nullish(z.array(z.object({ advertiserId: text }))) });
const Report = z.object({
  cursorId: z.nullish(z.string().check(z.maxLength(4_096))),
  /** `date`: YYYYMMDD. */
  reports: z.array(z.object({ date: text, advertiserName: text, campaignId: written, adGroupId: written, ...METRICS })),
});

type ReportRow = z.output<typeof Report>["reports"][number] & { currency: string; sales: number };

export type ReadAttribution = NonNullable<ReturnType<typeof createReadAttribution>>;

/** advertising.amazon.com/API/docs/en-us/amazon-attribution-prod-3p @returns null where Amazon Ads cannot be connected */
export function createReadAttribution(
  config: Pick<Config<"worker">, "AMAZON_ADS_CLIENT_ID" | "AMAZON_ADS_CLIENT_SECRET" | "ENCRYPTION_KEYS">,
  safeFetch: SafeFetch,
) {
  const { AMAZON_ADS_CLIENT_ID: clientId, AMAZON_ADS_CLIENT_SECRET: clientSecret, ENCRYPTION_KEYS: keys } = config;
  if (clientId === null || clientSecret === null || keys === null) return null;
  const sealer = createTokenSealer(keys);

  /**
   * Reads the performance report by day and ad group, of all profiles that have an advertiser. `sales` of its rows are in the smallest
   * unit of the currency. @param days both included, in ISO format @throws AmazonError, SealError
   */
  return async (
    { userId, sealedRefreshToken }: { userId: number; sealedRefreshToken: string },
    days: { from: string; to: string },
    deadline: AbortSignal,
  ) => {
    const grant = { grant_type: "refresh_token", refresh_token: sealer.open(sealedRefreshToken, userId) };
    const body = new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret }).toString();
    // It is valid in all regions.
    const { access_token } = await requestAmazon(safeFetch, Token, { ...TOKEN_REQUEST, body, deadline });
    let requests = 0;
    const request = <Schema extends z.ZodMiniType>(url: string, schema: Schema, profile?: string, query?: object) => {
      if (++requests > MAX_REQUESTS) throw new AmazonError(`The account needs more than ${MAX_REQUESTS} requests`);
      const headers = {
        accept: "application/json",
        authorization: `Bearer ${access_token}`,
        "amazon-advertising-api-clientid": clientId,
        ...(profile && { "amazon-advertising-api-scope": profile }),
        "content-type": "application/json",
      };
      const post = query && ({ method: "POST", body: JSON.stringify(query) } as const);
      return requestAmazon(safeFetch, schema, { url, purpose: "amazon-ads", headers, deadline, ...post });
    };

    let hasAttribution = false;
    const rows: ReportRow[] = [];
    for (const api of APIS) {
      for (const { profileId, currencyCode: currency } of await request(`${api}/v2/profiles`, Profiles)) {
        const profile = String(profileId);
        const found = await request(`${api}/attribution/advertisers`, Advertisers, profile).catch(noneIfRefused);
        if (!found.advertisers?.length) continue;
        hasAttribution = true;
        const query = {
          reportType: "PERFORMANCE",
          groupBy: "ADGROUP",
          advertiserIds: found.advertisers.map(({ advertiserId }) => advertiserId).join(),
          startDate: days.from.replaceAll("-", ""),
          endDate: days.to.replaceAll("-", ""),
          metrics: Object.keys(METRICS).join(),
          count: ROWS_PER_PAGE,
        };
        const digits = fractionDigits(currency);
        let page: z.output<typeof Report> = { cursorId: "", reports: [] };
        do {
          page = await request(`${api}/attribution/report`, Report, profile, { ...query, cursorId: page.cursorId });
          const inUnits = (sales: number) => Math.round(sales * 10 ** digits);
          rows.push(...page.reports.map((row) => ({ ...row, currency, sales: inUnits(row.totalAttributedSales14d) })));
        } while (page.cursorId && page.reports.length > 0);
      }
    }
    return { hasAttribution, rows };
  };
}

/** Amazon refuses profiles without an Attribution account: "This profileID is not authorized to use Amazon Attribution". */
function noneIfRefused(error: unknown): z.output<typeof Advertisers> {
  if (error instanceof AmazonError && [400, 401, 403, 404].includes(error.response?.status ?? 0)) return {};
  throw error;
}
