import type { EarningsSums } from "@tapthru/proto/earnings";
import { fractionDigits } from "@tapthru/proto/rules/money";
import type { Rates } from "./queries.ts";

type Amount = Exclude<keyof EarningsSums, "currency">;
/** Figures of reports; 0 also if they say nothing. */
export type Amounts = Record<Amount, number>;
export type KnownSums = Amounts & { currency: string };

/** Amounts in several currencies, which are never added up without rates. */
export class CurrencySums {
  readonly #sums = new Map<string, Amounts>();

  static of(items: readonly { currency: string; amounts: Amounts }[]): CurrencySums {
    const sums = new CurrencySums();
    for (const { currency, amounts } of items) sums.add(currency, amounts);
    return sums;
  }

  add(currency: string, amounts: Amounts): void {
    const sum = this.#sums.get(currency);
    if (sum === undefined) {
      const { earnings, revenue, ordered, shipped, returned } = amounts;
      this.#sums.set(currency, { earnings, revenue, ordered, shipped, returned });
      return;
    }
    sum.earnings += amounts.earnings;
    sum.revenue += amounts.revenue;
    sum.ordered += amounts.ordered;
    sum.shipped += amounts.shipped;
    sum.returned += amounts.returned;
  }

  list(): KnownSums[] {
    return [...this.#sums]
      .map(([currency, amounts]) => ({ currency, ...amounts }))
      .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  }
}

/** @param found the currencies of all figures @returns the currency of their sum; null if there is none */
export function commonCurrency(rates: Pick<Rates, "currency" | "rates">, found: readonly string[]): string | null {
  if (rates.currency !== null) return rates.currency;
  const [only = null, ...others] = found;
  return others.length === 0 ? only : null;
}

/** The sum of earnings in a currency, in its smallest unit and rounded once; null if a rate or an amount is missing. */
export function convertedEarnings(
  sums: readonly EarningsSums[],
  target: string | null,
  { rates }: Pick<Rates, "currency" | "rates">,
): number | null {
  if (target === null) return null;
  let total = 0;
  for (const { currency, earnings } of sums) {
    const rate = currency === target ? 1 : rates.find((known) => known.currency === currency)?.rate;
    if (rate === undefined || earnings === null) return null;
    total += earnings * rate * 10 ** (fractionDigits(target) - fractionDigits(currency));
  }
  return Math.round(total);
}

/** Items of all currencies; null if no report says any. */
export function itemsOf(sums: readonly EarningsSums[], item: "ordered" | "shipped" | "returned"): number | null {
  const counts = sums.flatMap((each) => each[item] ?? []);
  return counts.length === 0 ? null : counts.reduce((total, count) => total + count, 0);
}

/** Rounded to a ten-thousandth. */
export function perPerson(amount: number | null, people: number | undefined): number | null {
  if (amount === null || people === undefined || people === 0) return null;
  return Math.round((amount / people) * 10_000) / 10_000;
}
