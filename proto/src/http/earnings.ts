import * as z from "zod/mini";
import { EARNINGS_MATCHES } from "../rules/earnings.ts";
import { EARNINGS_PAGE_MAX_SIZE } from "../rules/limits.ts";
import * as earningsMessages from "../rules/messages/earnings-page.ts";
import type { Call } from "./call.ts";
import { numberText } from "./fields.ts";
import { getLink } from "./links.ts";

export const EARNINGS_GROUPS = ["link", "label", "channel", "store", "product", "day"] as const;
export type EarningsGroup = (typeof EARNINGS_GROUPS)[number];

const currency = z.string().check(z.regex(/^[A-Z]{3}$/));

/** Amounts are integers in the smallest unit of the currency; null: no report says it. Returned items are not in `shipped`. */
const sums = {
  earnings: z.nullable(z.int()),
  revenue: z.nullable(z.int()),
  ordered: z.nullable(z.int()),
  shipped: z.nullable(z.int()),
  returned: z.nullable(z.int()),
};

export const EarningsSums = z.object({ currency, ...sums });
export type EarningsSums = z.infer<typeof EarningsSums>;

/**
 * `sums`: one for each currency. `currency`: of `earnings` and `earningsPerClick`: that of the table, or the only one of `sums` if
 * its rate is missing; null if there are several. `earnings`: of all; null if they cannot be added up. `ordered`, `shipped`,
 * `returned`: items of all currencies. All of these are null if no report covers a day, and 0 if one does and has no sale.
 * `people`: taps of people on the links in the same days; null where links cannot be named. `earningsPerClick`: `earnings` divided by
 * the people on days that reports of earnings cover, as a decimal number of the smallest unit; `conversion`: `ordered` divided by
 * the people on days that reports of orders cover. Both are null if that is unknown.
 */
const figures = {
  sums: z.array(EarningsSums),
  currency: z.nullable(currency),
  earnings: sums.earnings,
  ordered: sums.ordered,
  shipped: sums.shipped,
  returned: sums.returned,
  people: z.nullable(z.int()),
  earningsPerClick: z.nullable(z.number()),
  conversion: z.nullable(z.number()),
};

/**
 * A row of the table. `key`: a short code, the id of a label or channel, a store such as `de`, an ASIN, or a day; null for
 * earnings that belong to none. `name`: null if the key says it. `links`: of a group of links that share tracking id and
 * product, their short codes: what each of them earned is not known.
 */
export const EarningsRow = z.object({
  key: z.nullable(z.string()),
  name: z.nullable(z.string()),
  links: z.array(z.string()),
  match: z.nullable(z.enum(EARNINGS_MATCHES)),
  ...figures,
});
export type EarningsRow = z.infer<typeof EarningsRow>;

export const EarningsTable = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** That of the user's rates, or the only one; null if there are several without rates. */
  currency: z.nullable(currency),
  /** The last day of any stored report; null without one. */
  reportedUntil: z.nullable(z.iso.date()),
  totals: z.object(figures),
  /** The totals by how they were matched. */
  matches: z.array(z.object({ match: z.enum(EARNINGS_MATCHES), ...figures })),
  rows: z.array(EarningsRow),
  /** Rows beyond the first EARNINGS_PAGE_MAX_SIZE. The CSV has EARNINGS_CSV_MAX_COUNT. */
  omittedRowCount: z.int(),
});
export type EarningsTable = z.infer<typeof EarningsTable>;

export const EarningsOrder = z.enum(["earnings", "earnings-per-click", "people", "key"]);

const days = {
  /** Default: 29 days before `to`. */
  from: z.optional(z.iso.date()),
  /** Included. Default: today in UTC. */
  to: z.optional(z.iso.date()),
};

/** What links earned, by Amazon's reports that the user imported. With `Accept: text/csv` the reply has the rows. */
export const getEarnings = {
  method: "GET",
  path: "/api/earnings",
  access: "earnings:read",
  query: z.object({
    ...days,
    by: z._default(z.enum(EARNINGS_GROUPS), "link"),
    sort: z._default(EarningsOrder, "earnings"),
    limit: z._default(
      z.pipe(numberText(/^\d{1,3}$/), z.int().check(z.gte(1), z.lte(EARNINGS_PAGE_MAX_SIZE))),
      100,
    ),
  }),
  replies: { 200: EarningsTable },
} as const satisfies Call;

/** `shared`: rows of groups of links that the link is one of. `days`: of the link alone, days without earnings are left out. */
export const LinkEarnings = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  reportedUntil: z.nullable(z.iso.date()),
  ...figures,
  shared: z.array(EarningsRow),
  days: z.array(z.object({ day: z.iso.date(), sums: z.array(EarningsSums) })),
});
export type LinkEarnings = z.infer<typeof LinkEarnings>;

export const getLinkEarnings = {
  method: "GET",
  path: "/api/links/:shortCode/earnings",
  access: "earnings:read",
  params: getLink.params,
  query: z.object(days),
  replies: { 200: LinkEarnings },
} as const satisfies Call;

/**
 * Whether tags arrive at Amazon, for each channel and store with a tracking report. `periods`, the oldest first: the clicks that Amazon
 * counted for the channel's tags, the people who opened its links in the same days, and the quotient; null if there are too few, or if
 * they cannot be compared, because links got another channel or tag meanwhile. Amazon counts otherwise than we do, so a change
 * counts, not the level: `falling` if the last quotient is far below the earlier ones, `unknown` without it or enough earlier ones.
 */
export const TagArrival = z.object({
  channelId: z.int(),
  name: z.string(),
  marketplace: z.string(),
  isFalling: z.boolean(),
  trend: z.enum(["falling", "steady", "unknown"]),
  periods: z.array(
    z.object({
      firstDay: z.iso.date(),
      lastDay: z.iso.date(),
      amazonClicks: z.int(),
      people: z.int(),
      isComparable: z.boolean(),
      ratio: z.nullable(z.number()),
    }),
  ),
});
export type TagArrival = z.infer<typeof TagArrival>;

export const listTagArrivals = {
  method: "GET",
  path: "/api/earnings/arrivals",
  access: "earnings:read",
  replies: { 200: z.array(TagArrival) },
} as const satisfies Call;

/** The user's currency, and what one unit of others is worth in it. Only the user's rates are used. */
export const EarningsRates = z.strictObject({
  currency: z.nullable(currency),
  rates: z
    .array(z.strictObject({ currency, rate: z.number().check(z.positive(), z.lte(1_000_000)) }))
    .check(z.maxLength(50)),
});
export type EarningsRates = z.infer<typeof EarningsRates>;

export const getEarningsRates = {
  method: "GET",
  path: "/api/earnings/rates",
  access: "earnings:read",
  replies: { 200: EarningsRates },
} as const satisfies Call;

const isKnown = ({ currency }: { currency: string | null }) =>
  currency === null || Intl.supportedValuesOf("currency").includes(currency);

export const saveEarningsRates = {
  method: "PUT",
  path: "/api/earnings/rates",
  access: "earnings:write",
  body: EarningsRates.check(
    z.refine(({ currency, rates }) => [{ currency }, ...rates].every(isKnown), {
      error: earningsMessages.unknownCurrency,
    }),
  ),
  replies: { 200: EarningsRates },
} as const satisfies Call;
