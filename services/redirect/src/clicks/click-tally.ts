import type { LinkClicks } from "@tapthru/proto/clicks/batch";
import { quarterAt } from "@tapthru/proto/clicks/quarters";

interface LinkTally {
  counts: Map<string, number>;
  visitors: Set<number>;
}

/** The clicks since the last call of `take`, by link and quarter-hour. */
export class ClickTally {
  #quarter = 0;
  #links = new Map<string, LinkTally>();
  #earlier: LinkClicks[] = [];

  /**
   * @param keys each counts once
   * @param visitor a register value; null if not known
   * @param now Unix milliseconds
   */
  add(shortCode: string, keys: readonly string[], visitor: number | null, now: number): void {
    const quarter = quarterAt(now);
    if (quarter !== this.#quarter) this.#startQuarter(quarter);
    let link = this.#links.get(shortCode);
    if (link === undefined) {
      link = { counts: new Map(), visitors: new Set() };
      this.#links.set(shortCode, link);
    }
    for (const key of keys) link.counts.set(key, (link.counts.get(key) ?? 0) + 1);
    if (visitor !== null) link.visitors.add(visitor);
  }

  take(): LinkClicks[] {
    this.#startQuarter(this.#quarter);
    const taken = this.#earlier;
    this.#earlier = [];
    return taken;
  }

  #startQuarter(quarter: number): void {
    for (const [shortCode, { counts, visitors }] of this.#links) {
      this.#earlier.push({
        shortCode,
        quarter: this.#quarter,
        counts: Object.fromEntries(counts),
        visitors: [...visitors],
      });
    }
    this.#links = new Map();
    this.#quarter = quarter;
  }
}
