import { jsonResponse, type StandInRequest, type StandInResponse } from "../response.ts";
import type { AccountId } from "./accounts.ts";
import { ADS_CLIENT } from "./client.ts";

export const isAdsHost = (host: string) => host.startsWith("advertising-api");

/** By host. The account of the second profile has no Attribution account. */
const PROFILES: Record<string, { profileId: number; currencyCode: string }[]> = {
  "advertising-api.amazon.com": [
    { profileId: 777_001, currencyCode: "USD" },
    { profileId: 777_002, currencyCode: "CAD" },
  ],
  "advertising-api-eu.amazon.com": [{ profileId: 777_003, currencyCode: "EUR" }],
};
const WITH_ATTRIBUTION = ["777001", "777003"];

/** Campaign and ad group of each row of a day, as in `aa_campaignid` and `aa_adgroupid` of links. */
const AD_GROUPS = [
  ["autumn-newsletter", "header"],
  ["autumn-newsletter", "product-list"],
  ["video-reviews", "desk-lamp"],
] as const;
const ROWS_PER_PAGE = 40;
const DAY_MS = 86_400_000;

/** The profiles, and the performance report of Amazon Attribution, by day and ad group. */
export function adsResponse(
  { host, target, headers, body }: Omit<StandInRequest, "method">,
  account: AccountId | null,
): StandInResponse {
  if (account === null || headers["amazon-advertising-api-clientid"] !== ADS_CLIENT.id)
    return refusal(401, "Unauthorized");
  if (target === "/v2/profiles") return jsonResponse(200, PROFILES[host] ?? []);
  const profile = String(headers["amazon-advertising-api-scope"]);
  if (account === "no-attribution" || !WITH_ATTRIBUTION.includes(profile)) {
    return refusal(400, "This profileID is not authorized to use Amazon Attribution");
  }
  if (target === "/attribution/advertisers") {
    return jsonResponse(200, { advertisers: [{ advertiserId: `adv-${profile}`, advertiserName: "Lamps and More" }] });
  }
  if (account === "ads-throttled") return { ...refusal(429, "Too Many Requests"), retryAfterSeconds: 600 };
  const { startDate, endDate, cursorId, count, advertiserIds, groupBy } = JSON.parse(body);
  if (advertiserIds !== `adv-${profile}` || groupBy !== "ADGROUP" || count > 5_000)
    return refusal(400, "Invalid request");
  const rows = reportRows(time(startDate), time(endDate), profile);
  const start = cursorId ? JSON.parse(cursorId).page * ROWS_PER_PAGE : 0;
  const reports = rows.slice(start, start + ROWS_PER_PAGE);
  const page = account === "ads-endless" ? 0 : start / ROWS_PER_PAGE + 1;
  const isLast = account !== "ads-endless" && start + ROWS_PER_PAGE >= rows.length;
  return jsonResponse(200, {
    reports,
    size: reports.length,
    cursorId: isLast ? null : JSON.stringify({ page, version: "V2" }),
  });
}

const refusal = (status: number, details: string) => ({
  ...(jsonResponse(status, { code: String(status), details }) as StandInResponse & { status: number }),
});

const time = (day: string) => Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));

/** The same each time. Numbers are texts, as Amazon sends them. */
function reportRows(from: number, to: number, profile: string) {
  const days = Array.from({ length: (to - from) / DAY_MS + 1 }, (_, index) => from + index * DAY_MS);
  return days.flatMap((day) =>
    AD_GROUPS.map(([campaignId, adGroupId], place) => {
      const clicks = 5 + (((day / DAY_MS) * 7 + place * 11 + Number(profile)) % 30);
      const purchases = Math.floor(clicks / 9);
      return {
        date: new Date(day).toISOString().slice(0, 10).replaceAll("-", ""),
        advertiserName: "Lamps and More",
        publisher: "Email",
        campaignId,
        adGroupId,
        "Click-throughs": String(clicks),
        attributedTotalDetailPageViewsClicks14d: String(clicks - 2),
        attributedTotalAddToCartClicks14d: String(Math.floor(clicks / 4)),
        attributedTotalPurchases14d: String(purchases),
        totalAttributedSales14d: (purchases * 24.95).toFixed(2),
      };
    }),
  );
}
