import type { ClickRange } from "@tapthru/core/clicks/click-range";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsSums, ReportDays } from "@tapthru/proto/earnings";
import { type CoveredDays, dayAt, findMissingDays, findReportedUntil, type OwnDays } from "./queries.ts";

const DAY_MS = 86_400_000;

/** The kinds of reports that cover days: earnings, which include bounties, or orders. */
export type Covered = "earnings" | "orders";

const isOf = ({ kind }: CoveredDays, what: Covered) => (kind === "orders") === (what === "orders");

export class Coverage {
  readonly #range: ClickRange;
  readonly #days: readonly CoveredDays[];

  constructor(range: ClickRange, days: readonly CoveredDays[]) {
    this.#range = range;
    this.#days = days;
  }

  of(stores?: readonly string[]): Coverage {
    const days = this.#days.filter(({ marketplace }) => stores?.includes(marketplace));
    return stores === undefined ? this : new Coverage(this.#range, days);
  }

  get stores(): string[] {
    return [...new Set(this.#days.map(({ marketplace }) => marketplace))];
  }

  multirange(what: Covered): string {
    return `{${this.ranges(what).map(({ from, to }) => `[${dayAt(from)},${dayAt(to)})`)}}`;
  }

  get currencies(): string[] {
    return [...new Set(this.#days.map(({ currency }) => currency))].sort();
  }

  /** @param day null: any of the range */
  has(what: Covered, day: string | null): boolean {
    return this.#on(day).some((covered) => isOf(covered, what));
  }

  hasItems(item: "ordered" | "shipped" | "returned", day: string | null): boolean {
    const kind = item === "ordered" ? "orders" : "earnings";
    return this.#on(day).some((covered) => covered.kind === kind);
  }

  /** Sums without what no report of the currency says. */
  known(sums: EarningsSums, day: string | null): EarningsSums {
    const ofCurrency = this.#on(day).filter(({ currency }) => currency === sums.currency);
    const hasOrders = ofCurrency.some((covered) => isOf(covered, "orders"));
    const hasEarnings = ofCurrency.some((covered) => isOf(covered, "earnings"));
    const hasSales = ofCurrency.some(({ kind }) => kind === "earnings");
    return {
      currency: sums.currency,
      earnings: hasEarnings ? sums.earnings : null,
      revenue: hasSales ? sums.revenue : null,
      ordered: hasOrders ? sums.ordered : null,
      shipped: hasSales ? sums.shipped : null,
      returned: hasSales ? sums.returned : null,
    };
  }

  /** The last day of the range that has reports; null: none has. */
  until(what: Covered): string | null {
    const ends = this.#days.filter((each) => isOf(each, what)).map(({ to }) => to);
    return ends.sort().at(-1) ?? null;
  }

  ranges(what: Covered): ClickRange[] {
    const found: ClickRange[] = [];
    for (const from of this.#range.starts) {
      if (!this.has(what, dayAt(from))) continue;
      const last = found.at(-1);
      if (last?.to === from) last.to += DAY_MS;
      else found.push({ from, to: from + DAY_MS, starts: [from] });
    }
    return found;
  }

  #on(day: string | null): readonly CoveredDays[] {
    return day === null ? this.#days : this.#days.filter(({ from, to }) => from <= day && day <= to);
  }
}

/** Returns the days that the figures of a range cover. @param stores of the figures, if not all */
export async function findReportDays(
  db: Db<"maybeOne" | "oneFirst">,
  range: OwnDays,
  coverage: Coverage,
  stores?: readonly string[],
): Promise<ReportDays> {
  const [reportedUntil, missing] = await Promise.all([
    findReportedUntil(db, range.userId),
    findMissingDays(db, range, dayAt(Date.now()), stores),
  ]);
  const { from, to } = range;
  return {
    from,
    to,
    reportedUntil,
    earningsUntil: coverage.until("earnings"),
    ordersUntil: coverage.until("orders"),
    missing,
  };
}
