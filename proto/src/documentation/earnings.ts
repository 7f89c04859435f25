import type * as earningsCalls from "../http/earnings.ts";
import { EARNINGS_CSV_MAX_COUNT } from "../rules/limits.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_CODE } from "./example-values.ts";

const FIGURES = {
  sums: [
    { currency: "EUR", earnings: 1840, revenue: 46_000, ordered: 13, shipped: 12, returned: 1 },
  ],
  currency: "EUR",
  earnings: 1840,
  ordered: 13,
  shipped: 12,
  returned: 1,
  people: 230,
  earningsPerClick: 8,
  conversion: 0.0565,
};

const SHARED = {
  key: null,
  name: "Camping mug",
  links: [EXAMPLE_CODE, "k7m2pqs"],
  match: "links" as const,
  ...FIGURES,
};

const DAYS = { from: "2026-11-01", to: "2026-11-21" };
const HEAD = { ...DAYS, currency: "EUR", reportedUntil: "2026-11-20" };
const RATES = { currency: "EUR", rates: [{ currency: "GBP", rate: 1.15 }] };

const MATCHES =
  "A sale is a link's if the report does not call it indirect and one link alone has its tracking ID and product, now or earlier (`link`). Links that share both are one row (`links`): what each of them earned is not known. All other sales belong to the channel that has or had the tracking ID, or whose link has it (`channel`), or to none (`none`).";
const AMOUNTS =
  "Amounts are integers in the smallest unit of their currency by ISO 4217, such as cents. Orders are those of orders reports; all else is of earnings and bounty reports. `from` and `to` are days as Amazon's reports have them; both are included. By default the last 30 days; at most 800. What no report says is null. `earningsPerClick` and `conversion` are of days alone that reports cover.";

export const earningsDocumentation: DocumentationOf<typeof earningsCalls> = {
  getEarnings: {
    tag: "Earnings",
    summary: "Sum up what links earned",
    description: `${MATCHES} ${AMOUNTS} By link, the key of rows with the match \`channel\` is the id of the channel. By label, a sale of a link with several labels is in each of their rows. The CSV has the first ${EARNINGS_CSV_MAX_COUNT.toLocaleString("en-US")} rows, with a line for each currency.`,
    errors: [],
    otherTypes: {
      "text/csv":
        "key,name,links,match,currency,earnings,revenue,ordered,shipped,returned,people,earnings per click,currency per click\r\nk7m2pqr,Camping mug,,link,EUR,18.40,460.00,13,12,1,230,0.080000,EUR\r\n",
    },
    example: {
      query: { ...DAYS, by: "link", sort: "earnings-per-click", limit: "100" },
      replies: {
        200: {
          ...HEAD,
          totals: FIGURES,
          matches: [
            { match: "link", ...FIGURES, people: null, earningsPerClick: null, conversion: null },
          ],
          rows: [{ key: EXAMPLE_CODE, name: "Camping mug", links: [], match: "link", ...FIGURES }],
          omittedRowCount: 0,
        },
      },
    },
  },
  getLinkEarnings: {
    tag: "Earnings",
    summary: "Sum up what a link earned",
    description: `${MATCHES} ${AMOUNTS} Without \`earningsPerClick\` and \`conversion\` if some of it is in \`shared\`.`,
    errors: ["link-not-found"],
    example: {
      params: { shortCode: EXAMPLE_CODE },
      query: DAYS,
      replies: {
        200: {
          ...HEAD,
          ...FIGURES,
          earningsPerClick: null,
          conversion: null,
          shared: [SHARED],
          days: [{ day: "2026-11-20", sums: FIGURES.sums }],
        },
      },
    },
  },
  listTagArrivals: {
    tag: "Earnings",
    summary: "Compare Amazon's clicks with ours",
    description:
      "For each channel and store with a tracking report. Amazon counts otherwise, so only a change of the quotient counts: `trend` is `falling` if that of the last period is less than 70 % of the median of at least two earlier ones, each with at least 100 people, and `unknown` without these. A period is not comparable if links got another channel or tag meanwhile. A report is compared once, when its last day is at least two days ago.",
    errors: [],
    example: {
      replies: {
        200: [
          {
            channelId: 3,
            name: "Instagram",
            marketplace: "de",
            isFalling: false,
            trend: "unknown",
            periods: [
              {
                firstDay: "2026-10-01",
                lastDay: "2026-10-31",
                amazonClicks: 412,
                people: 500,
                isComparable: true,
                ratio: 0.824,
              },
            ],
          },
        ],
      },
    },
  },
  getEarningsRates: {
    tag: "Earnings",
    summary: "Read the exchange rates",
    description: "`rate` is what one unit of the other currency is worth in yours.",
    errors: [],
    example: { replies: { 200: RATES } },
  },
  saveEarningsRates: {
    tag: "Earnings",
    summary: "Save the exchange rates",
    description: "They replace all earlier ones. Sums across currencies use these rates only.",
    errors: [],
    example: { body: RATES, replies: { 200: RATES } },
  },
};
