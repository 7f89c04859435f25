import type { ClickTotals } from "@tapthru/proto/clicks";
import {
  CLICK_CLASSES,
  type ClickClass,
  classKey,
  NO_CLICKS,
  OPENED_KEY,
  STAYED_KEY,
} from "@tapthru/proto/clicks/keys";
import { readSeries } from "@tapthru/proto/clicks/packed-counts";
import { firstQuarterOf, QUARTERS_PER_DAY, quarterAt } from "@tapthru/proto/clicks/quarters";
import { addSketch, estimateVisitors, newRegisters } from "@tapthru/proto/clicks/visitor-sketch";
import type { ClickRange } from "./click-range.ts";
import type { ClickRow } from "./queries.ts";

type Sum = Record<ClickClass | "opened" | "tried", number>;

/** Days since 1970 in UTC. */
type Day = number;

function emptySum(): Sum {
  return { ...NO_CLICKS, opened: 0, tried: 0 };
}

export class Periods {
  readonly firstQuarter: number;
  readonly #indexes: Uint16Array;
  readonly count: number;

  constructor({ from, to, starts }: ClickRange) {
    this.firstQuarter = quarterAt(from);
    this.count = starts.length;
    this.#indexes = new Uint16Array(quarterAt(to) - this.firstQuarter);
    starts.forEach((start, index) => {
      this.#indexes.fill(index, Math.max(0, quarterAt(start) - this.firstQuarter));
    });
  }

  /** Undefined outside of the range. */
  indexOf(quarter: number): number | undefined {
    return this.#indexes[quarter - this.firstQuarter];
  }
}

export class ClickSums {
  readonly #periods: Periods;
  readonly #sums: Sum[];
  readonly #people = new Map<Day, { all: number; byPeriod: Map<number, number> }>();
  readonly #visitors = new Map<Day, number>();
  /** Most days of a link have one sketch, which needs no sum. */
  #lastDay: { day: Day; first: Uint8Array; sum: Uint8Array | null } | null = null;

  constructor(periods: Periods) {
    this.#periods = periods;
    this.#sums = Array.from({ length: periods.count }, emptySum);
  }

  /** Rows are added in the order of their days. */
  add(row: ClickRow): void {
    const firstQuarter = firstQuarterOf(row.day);
    for (const name of CLICK_CLASSES) {
      this.#addSeries(name, row.counts[classKey(name)] ?? "", firstQuarter);
    }
    this.#addSeries("opened", row.counts[OPENED_KEY] ?? "", firstQuarter);
    for (const key of [OPENED_KEY, STAYED_KEY]) this.#addSeries("tried", row.counts[key] ?? "", firstQuarter);
    if (row.sketch !== null) this.#addSketch(firstQuarter / QUARTERS_PER_DAY, row.sketch);
  }

  result(): { totals: ClickTotals; series: ClickTotals[] } {
    this.#endDay();
    const visitors = this.#visitorsByPeriod();
    const total = emptySum();
    for (const sum of this.#sums) {
      for (const name of [...CLICK_CLASSES, "opened", "tried"] as const) total[name] += sum[name];
    }
    return {
      totals: { ...total, visitors: rounded(visitors.reduce((sum, count) => sum + count, 0)) },
      series: this.#sums.map((sum, index) => ({ ...sum, visitors: rounded(visitors[index] ?? 0) })),
    };
  }

  #addSeries(name: keyof Sum, series: string, firstQuarter: number): void {
    readSeries(series, (slot, count) => {
      const index = this.#periods.indexOf(firstQuarter + slot);
      const sum = index === undefined ? undefined : this.#sums[index];
      if (sum !== undefined) sum[name] += count;
      if (name === "person") this.#addPeople(firstQuarter + slot, index, count);
    });
  }

  #addPeople(quarter: number, index: number | undefined, count: number): void {
    const day = Math.floor(quarter / QUARTERS_PER_DAY);
    let people = this.#people.get(day);
    if (people === undefined) {
      people = { all: 0, byPeriod: new Map() };
      this.#people.set(day, people);
    }
    people.all += count;
    if (index !== undefined) people.byPeriod.set(index, (people.byPeriod.get(index) ?? 0) + count);
  }

  #addSketch(day: Day, sketch: Uint8Array): void {
    const last = this.#lastDay;
    if (last?.day !== day) {
      this.#endDay();
      this.#lastDay = { day, first: sketch, sum: null };
      return;
    }
    if (last.sum === null) {
      last.sum = newRegisters();
      addSketch(last.sum, last.first);
    }
    addSketch(last.sum, sketch);
  }

  #endDay(): void {
    if (this.#lastDay !== null) {
      const { day, first, sum } = this.#lastDay;
      this.#visitors.set(day, estimateVisitors(sum ?? first));
    }
    this.#lastDay = null;
  }

  /** Distributes the estimate of each day over its periods in proportion to their person clicks, so that they add up to the day. */
  #visitorsByPeriod(): number[] {
    const visitors = new Array<number>(this.#periods.count).fill(0);
    for (const [day, { all, byPeriod }] of this.#people) {
      const estimate = this.#visitors.get(day) ?? 0;
      for (const [index, people] of byPeriod) {
        visitors[index] = (visitors[index] ?? 0) + (Math.min(estimate, all) * people) / all;
      }
    }
    return visitors;
  }
}

/** The same in any order in which the shares of days are added. */
function rounded(visitors: number): number {
  return Math.round(Number(visitors.toFixed(6)));
}
