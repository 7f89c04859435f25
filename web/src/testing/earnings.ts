import { type EarningsRow, type EarningsSums, getEarnings, getLinkEarnings } from "@tapthru/proto/earnings";
import { getEarningsImport } from "@tapthru/proto/earnings-imports";
import { exampleOf, like } from "./examples.ts";

type Figures = Omit<EarningsRow, "key" | "name" | "links" | "match">;

/** Without changes: nothing is known. Items, and an amount in the only currency, follow from `sums`. */
export function figuresOf(changes: Partial<Figures> = {}): Figures {
  const { sums = [], people = null } = changes;
  const count = (item: "ordered" | "shipped" | "returned") =>
    sums.length === 0 ? null : sums.reduce((total, sum) => total + (sum[item] ?? 0), 0);
  const only = sums.length === 1 ? sums[0] : undefined;
  const ordered = count("ordered");
  return {
    sums,
    people,
    ordered,
    shipped: count("shipped"),
    returned: count("returned"),
    earningsPerClick: null,
    currency: only?.currency ?? null,
    earnings: only?.earnings ?? null,
    conversion: ordered === null || !people ? null : ordered / people,
    ...changes,
  };
}

/** Without changes: a row of nothing. */
export const earningsRow = (changes: Partial<EarningsRow>): EarningsRow => ({
  key: null,
  name: null,
  links: [],
  match: null,
  ...figuresOf(changes),
  ...changes,
});

/** Sums in a currency. @param earnings in its smallest unit */
export function sumsIn(currency: string, earnings: number, ordered = 0, returned = 0): EarningsSums {
  return { currency, earnings, revenue: 0, ordered, shipped: ordered, returned };
}

/** Days of which a store has reports until the last one. */
export const until = (day: string, marketplace = "de") => ({
  reportedUntil: day,
  to: day,
  stores: [{ marketplace, earningsUntil: day, ordersUntil: day }],
});

const PERIOD = {
  from: "2026-10-28",
  to: "2026-11-26",
  reportedUntil: null,
  stores: [],
  missing: null,
};

/** Without changes: no reports. */
export const earningsTable = like(exampleOf(getEarnings), {
  ...PERIOD,
  currency: null,
  totals: figuresOf(),
  rows: [],
  omittedRowCount: 0,
  areMore: false,
});

const LINK = exampleOf(getLinkEarnings);
export const linkEarnings = (changes: Partial<typeof LINK> = {}) => ({
  ...LINK,
  ...PERIOD,
  ...figuresOf(changes),
  shared: null,
  sharedRows: [],
  ...changes,
});

const READY = exampleOf(getEarningsImport);
export const earningsReport = like(READY.reports[0], {
  earnings: 12_345,
  revenue: 400_000,
  shipped: 120,
  returned: 4,
  unreadLines: [],
  unmatchedRowCount: 0,
});
export const earningsImport = like(READY, { fileName: "october.zip", reports: [], ignoredFiles: [] });
