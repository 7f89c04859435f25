import * as z from "zod/mini";
import { EARNINGS_MATCHES } from "../rules/earnings.ts";
import { EARNINGS_PAGE_MAX_SIZE } from "../rules/limits.ts";
import type { Call } from "./call.ts";
import { numberText } from "./fields.ts";
import { getLink } from "./links.ts";

export const EARNINGS_GROUPS = ["link", "label", "channel", "store", "product", "day"] as const;
export type EarningsGroup = (typeof EARNINGS_GROUPS)[number];

const currency = z.string().check(z.regex(/^[A-Z]{3}$/));

/** Amounts are integers in the smallest unit of the currency. Returned items are not in `shipped`. */
export const EarningsSums = z.object({
  currency,
  earnings: z.int(),
  revenue: z.int(),
  ordered: z.int(),
  shipped: z.int(),
  returned: z.int(),
});
export type EarningsSums = z.infer<typeof EarningsSums>;

/**
 * `sums`: one for each currency. `earnings`: of all, in the user's currency; null if a rate is missing. `people`: taps of people
 * on the links in the same days; null where links cannot be named. `earningsPerClick`: `earnings` divided by `people`, as a
 * decimal number of the smallest unit; null without people or earnings.
 */
const figures = {
  sums: z.array(EarningsSums),
  earnings: z.nullable(z.int()),
  people: z.nullable(z.int()),
  earningsPerClick: z.nullable(z.number()),
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
  /** The currency of `earnings`: that of the user's rates, or the only one; null if there are several without rates. */
  currency: z.nullable(currency),
  /** The last day of any stored report; null without one. */
  reportedUntil: z.nullable(z.iso.date()),
  totals: z.object(figures),
  /** The totals by how they were matched. */
  matches: z.array(z.object({ match: z.enum(EARNINGS_MATCHES), ...figures })),
  rows: z.array(EarningsRow),
  /** Rows beyond the first EARNINGS_PAGE_MAX_SIZE. The CSV has all. */
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
  currency: z.nullable(currency),
  reportedUntil: z.nullable(z.iso.date()),
  ...figures,
  shared: z.array(EarningsRow),
  days: z.array(z.object({ day: z.iso.date(), sums: z.array(EarningsSums) })),
});
export type LinkEarnings = z.infer<typeof LinkEarnings>;

export const getLinkEarnings = {
  method: "GET",
  path: "/api/links/:shortCode/earnings",
  params: getLink.params,
  query: z.object(days),
  replies: { 200: LinkEarnings },
} as const satisfies Call;

/**
 * Whether tags arrive at Amazon, for each channel and store with a tracking report. `periods`, the oldest first: the clicks that Amazon
 * counted for the channel's tags, the people who opened its links in the same days, and the quotient, null if too few. Amazon
 * counts otherwise than we do, so a change counts, not the level: `isFalling` if the last quotient is far below the earlier ones.
 */
export const TagArrival = z.object({
  channelId: z.int(),
  name: z.string(),
  marketplace: z.string(),
  isFalling: z.boolean(),
  periods: z.array(
    z.object({
      firstDay: z.iso.date(),
      lastDay: z.iso.date(),
      amazonClicks: z.int(),
      people: z.int(),
      ratio: z.nullable(z.number()),
    }),
  ),
});
export type TagArrival = z.infer<typeof TagArrival>;

export const listTagArrivals = {
  method: "GET",
  path: "/api/earnings/arrivals",
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
  replies: { 200: EarningsRates },
} as const satisfies Call;

export const saveEarningsRates = {
  method: "PUT",
  path: "/api/earnings/rates",
  body: EarningsRates,
  replies: { 200: EarningsRates },
} as const satisfies Call;
