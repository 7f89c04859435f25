import * as z from "zod/mini";
import { resource } from "./call.ts";
import { listLinkPeople } from "./clicks.ts";
import { EXAMPLE_CODE } from "./example-values.ts";
import { csvSeparator, numberText, shortCode } from "./fields.ts";
import { linkNotFound } from "./general-errors.ts";
import { COMPARISONS } from "./rules/days.ts";
import { EARNINGS_MATCHES } from "./rules/earnings.ts";
import { CLICKS_MAX_DAYS, EARNINGS_CSV_MAX_COUNT, EARNINGS_PAGE_MAX_SIZE } from "./rules/limits.ts";

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
 * earnings that belong to none. `name`: null if the key says it. `links`: those of a group that share tracking id and product: what
 * each of them earned is not known. `amazonClicks`: of a channel, Amazon's clicks for its tags by the tracking reports in these days,
 * and the people on the days and in the stores of these reports.
 */
export const EarningsRow = z.object({
  key: z.nullable(z.string()),
  name: z.nullable(z.string()),
  links: z.array(z.object({ shortCode: z.string(), name: z.string() })),
  match: z.nullable(z.enum(EARNINGS_MATCHES)),
  ...figures,
  amazonClicks: z.optional(z.object({ clicks: z.int(), people: z.int() })),
});
export type EarningsRow = z.infer<typeof EarningsRow>;

/**
 * `from` and `to`: the days of all figures, which end with the last day that reports of earnings, or else of orders, have of the range.
 * `reportedUntil`: the last day of any stored report. `stores`: those whose reports have some of the days, with the last one of earnings
 * and of orders. `missing`: the first days after the start of the range, and after the first report of a store, that its earnings
 * reports lack, if they begin more than a week ago; null if there is none.
 */
export const ReportDays = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  reportedUntil: z.nullable(z.iso.date()),
  /** The day of the European Central Bank's rates that are in sums; null if none are. */
  ratesDay: z.optional(z.nullable(z.iso.date())),
  stores: z.array(
    z.object({
      marketplace: z.string(),
      earningsUntil: z.nullable(z.iso.date()),
      ordersUntil: z.nullable(z.iso.date()),
    }),
  ),
  missing: z.nullable(z.object({ marketplace: z.string(), from: z.iso.date(), to: z.iso.date() })),
});
export type ReportDays = z.infer<typeof ReportDays>;

/**
 * The figures of the days with which a period is compared: for each store and kind of report, those that correspond to what the reports
 * have of the period. What reports lack of them is null.
 */
const before = { from: z.iso.date(), to: z.iso.date() };

export const EarningsTable = z.object({
  ...ReportDays.shape,
  /** The currency of the user's rates, or the only one; null if there are several without rates. */
  currency: z.nullable(currency),
  totals: z.object(figures),
  rows: z.array(EarningsRow),
  /** With `against` or `since`. `rows`: by day alone. */
  before: z.optional(z.object({ ...before, totals: z.object(figures), rows: z.array(EarningsRow) })),
  /** Rows beyond the first EARNINGS_PAGE_MAX_SIZE. The CSV has EARNINGS_CSV_MAX_COUNT. */
  omittedRowCount: z.int(),
  /** True if the range has so many days of links with taps that the people of rows cover only its last days. */
  areMore: z.boolean(),
});
export type EarningsTable = z.infer<typeof EarningsTable>;

export const EarningsOrder = z.enum([
  "earnings",
  "earnings-per-click",
  "people",
  "ordered",
  "conversion",
  "returned",
  "key",
]);
export type EarningsOrder = z.infer<typeof EarningsOrder>;

const days = {
  /** Default: `days` before `to`. */
  from: z.optional(z.iso.date()),
  /** Included. Default: today in UTC. `reported`: the last day that reports of earnings have, or else of orders, or today. */
  to: z.optional(z.union([z.iso.date(), z.literal("reported")])),
  days: z._default(z.pipe(numberText(/^\d{1,3}$/), z.int().check(z.gte(1), z.lte(CLICKS_MAX_DAYS))), 30),
  /** Compares with as many days before, the same days of the month before, or of the year before. */
  against: z.optional(z.enum(COMPARISONS)),
  /** Compares with these days instead; both are included. */
  since: z.optional(z.iso.date()),
  until: z.optional(z.iso.date()),
};

const earnings = resource("Earnings", { reads: "earnings:read", writes: "earnings:write" });

const EXAMPLE_DAYS = { from: "2026-11-01", to: "2026-11-21" };
const MATCHES =
  "A sale is a link's if the report does not call it indirect and one link alone has its tracking ID and product, now or earlier (`link`). Links that share both are one row (`links`): what each of them earned is not known. All other sales belong to the channel that has or had the tracking ID, or whose link has it (`channel`), or to none (`none`).";
const AMOUNTS =
  "Amounts are integers in the smallest unit of their currency by ISO 4217, such as cents. Orders are those of orders reports; all else is of earnings and bounty reports. `from` and `to` are days as Amazon's reports have them; both are included. Taps of a day are counted in UTC. By default the last 30 days (`days`); at most 800. `to=reported` ends with the last day that reports of earnings have. The reply has no days after the last one that reports have of the range: `to`. What no report says is null. `earningsPerClick` and `conversion` are of days alone that reports of the store cover. `before` has the figures of the days before `against` or `since` and `until` name: of each store, account and kind of report the days that correspond to what the reports have.";

export const getEarnings = earnings.get("/api/earnings", {
  summary: "Sum up what links earned",
  description: `${MATCHES} ${AMOUNTS} By link, the key of rows with the match \`channel\` is the id of the channel. By label, a sale of a link with several labels is in each of their rows. By channel, \`amazonClicks\` has the clicks that Amazon counted for the channel's tags in tracking reports, and the people on the same days, by the tags that links have now. It is missing if a link has gained or lost one of the tags since a report began. Amazon counts differently, so a change of the ratio says more than its level. By day, \`channel\` leaves out what other channels earned. The CSV has the first ${EARNINGS_CSV_MAX_COUNT.toLocaleString("en-US")} rows, with a line for each currency.`,
  query: z.object({
    ...days,
    by: z._default(z.enum(EARNINGS_GROUPS), "link"),
    sort: z._default(EarningsOrder, "earnings"),
    limit: z._default(z.pipe(numberText(/^\d{1,3}$/), z.int().check(z.gte(1), z.lte(EARNINGS_PAGE_MAX_SIZE))), 100),
    /** The id of a channel: by day alone. */
    channel: z.optional(numberText(/^\d{1,9}$/)),
    separator: csvSeparator,
  }),
  replies: { 200: EarningsTable },
  otherTypes: {
    "text/csv":
      "key,name,links,match,currency,earnings,revenue,ordered,shipped,returned,people,earnings per click,currency per click\r\nk7m2pqr,Camping mug,,link,EUR,18.40,460.00,13,12,1,230,0.080000,EUR\r\n",
  },
  example: { query: { ...EXAMPLE_DAYS, by: "link", sort: "earnings-per-click", limit: "100" } },
});

/**
 * What links earned by sales that are theirs alone, and what each shares with others: `links` counts these. `earnings` of these is null if it
 * cannot be added up.
 */
const earned = {
  sums: figures.sums,
  currency: figures.currency,
  earnings: figures.earnings,
  shared: z.nullable(z.object({ earnings: figures.earnings, currency: figures.currency, links: z.int() })),
};

/** `sharedRows`: those of groups of links that the link is one of. */
export const LinkEarnings = z.object({
  ...ReportDays.shape,
  ...figures,
  shared: earned.shared,
  sharedRows: z.array(EarningsRow),
  /** With `against` or `since`. Of taps alone if anything is shared. */
  before: z.optional(z.object({ ...before, totals: z.object(figures) })),
});
export type LinkEarnings = z.infer<typeof LinkEarnings>;

export const getLinkEarnings = earnings.get("/api/links/:shortCode/earnings", {
  summary: "Sum up what a link earned",
  description: `${MATCHES} ${AMOUNTS} Without \`earningsPerClick\` and \`conversion\` if some of it is in \`sharedRows\`, whose sum is \`shared\`. \`earnings\` is null if no report covers the link's store, or a day since the link was created.`,
  params: z.object({ shortCode }),
  query: z.object(days),
  replies: { 200: LinkEarnings },
  errors: [linkNotFound],
  example: { query: EXAMPLE_DAYS },
});

export const LinksEarnings = z.object({
  ...ReportDays.shape,
  links: z.array(z.object({ shortCode: z.string(), ...earned })),
});
export type LinksEarnings = z.infer<typeof LinksEarnings>;
export type Earned = Omit<LinksEarnings["links"][number], "shortCode">;

export const listLinksEarnings = earnings.get("/api/earnings/links", {
  summary: "Read what links earned in the last 30 days of reports",
  description:
    "The figures of `GET /api/links/{shortCode}/earnings` in the 30 days until the last one that reports of earnings have. `codes` are short codes, separated by commas.",
  query: z.pick(listLinkPeople.query, { codes: true }),
  replies: { 200: LinksEarnings },
  example: { query: { codes: EXAMPLE_CODE } },
});

const NamedLink = z.object({ shortCode: z.string(), name: z.string() });

/**
 * A lasting change of what Amazon pays for a product, or for a category or store of several. `before`, `after`: shares of the revenue.
 * `storeId`: of the Associates account; empty: the only one. `isDirect`: null if the reports do not say it. `perMonth`: what less is paid in 30 days, at the sales since the day; negative if
 * more is. `links`: those to its products; `unchanged`: to others of the category, or store, for whose last sales it still paid `before`.
 */
export const RateChange = z.object({
  level: z.enum(["store", "category", "product"]),
  marketplace: z.string(),
  storeId: z.string(),
  name: z.nullable(z.string()),
  asin: z.nullable(z.string()),
  isDirect: z.nullable(z.boolean()),
  day: z.iso.date(),
  before: z.number(),
  after: z.number(),
  perMonth: z.int(),
  currency,
  links: z.array(NamedLink),
  unchanged: z.array(NamedLink),
});
export type RateChange = z.infer<typeof RateChange>;

export const listRateChanges = earnings.get("/api/earnings/rate-changes", {
  summary: "Find changes of Amazon's commission",
  description:
    "From the last year's earnings reports of the best-selling products: `earnings` divided by `revenue`. A change is found after some twelve sales and a week. `hasRevenue` is false if reports with sales have no revenue, which hides all changes.",
  replies: { 200: z.object({ hasRevenue: z.boolean(), changes: z.array(RateChange) }) },
});

/** `channelId`: of the tag by which most were sold; null: the default channel. `sold`: items, on so many different `days`. */
export const UnlinkedProduct = z.object({
  marketplace: z.string(),
  asin: z.string(),
  name: z.nullable(z.string()),
  channelId: z.nullable(z.int()),
  sold: z.int(),
  days: z.int(),
});
export type UnlinkedProduct = z.infer<typeof UnlinkedProduct>;

export const listUnlinkedProducts = earnings.get("/api/earnings/unlinked-products", {
  summary: "List products that sell without a link",
  description:
    "Products that sold through your tags on at least three of the last 90 days in the reports, although none of your links leads to them in that store: at most 100, those with the most sold items first.",
  replies: { 200: z.array(UnlinkedProduct) },
});

/** The user's currency, and what one unit of others is worth in it. */
export const EarningsRates = z.strictObject({
  currency: z.nullable(currency),
  rates: z
    .array(z.strictObject({ currency, rate: z.number().check(z.positive(), z.lte(1_000_000)) }))
    .check(z.maxLength(50)),
});
export type EarningsRates = z.infer<typeof EarningsRates>;

/** `referenceDay`: of the reference rates of the European Central Bank; null: they are not read. */
const KnownRates = z.extend(EarningsRates, { referenceDay: z.nullable(z.iso.date()) });

export const getEarningsRates = earnings.get("/api/earnings/rates", {
  summary: "Read the exchange rates",
  description: "`rate` is the value of one unit of the other currency in yours.",
  replies: { 200: KnownRates },
});

const isKnown = ({ currency }: { currency: string | null }) =>
  currency === null || Intl.supportedValuesOf("currency").includes(currency);

export const saveEarningsRates = earnings.put("/api/earnings/rates", {
  summary: "Save the exchange rates",
  description:
    "They replace all earlier ones. Sums across currencies use these rates, and reference rates of the European Central Bank for other currencies, if the operator enabled them. Without your own currency, that of most rows of your reports is used.",
  body: EarningsRates.check(
    z.refine(({ currency, rates }) => [{ currency }, ...rates].every(isKnown), {
      error: "This currency is not known.",
    }),
  ),
  replies: { 200: KnownRates },
  records: "earnings-rates.changed",
});
