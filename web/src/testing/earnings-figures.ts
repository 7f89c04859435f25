import type { EarningsRow, EarningsSums } from "@tapthru/proto/earnings";

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
    currency: only?.currency ?? null,
    earnings: only?.earnings ?? null,
    ordered,
    shipped: count("shipped"),
    returned: count("returned"),
    people,
    earningsPerClick: null,
    conversion: ordered === null || !people ? null : ordered / people,
    ...changes,
  };
}

/** Without changes: a row of nothing. */
export const earningsRow = (changes: Partial<EarningsRow>): EarningsRow => ({
  ...{ key: null, name: null, links: [], match: null },
  ...figuresOf(changes),
  ...changes,
});

/** Sums in a currency. @param earnings in its smallest unit */
export const sumsIn = (currency: string, earnings: number, ordered = 0, returned = 0): EarningsSums => ({
  currency,
  earnings,
  revenue: 0,
  ordered,
  shipped: ordered,
  returned,
});
