import * as z from "zod/mini";
import { MAX_REFERRERS, overflowKey } from "./keys.ts";

/**
 * The counts of a link or user on a day: for each key its quarters as text, such as "37 40:12" for one in the 37th
 * quarter of the day and twelve in the 40th.
 */
export const PackedCounts = z.record(z.string(), z.string());
export type PackedCounts = z.infer<typeof PackedCounts>;

/** Calls `visit` for each quarter of a series; `slot` counts from the start of the day. */
export function readSeries(series: string, visit: (slot: number, count: number) => void): void {
  for (let at = 0; at < series.length; ) {
    const next = series.indexOf(" ", at);
    const end = next === -1 ? series.length : next;
    const item = series.slice(at, end);
    const colon = item.indexOf(":");
    if (colon === -1) visit(Number(item), 1);
    else visit(Number(item.slice(0, colon)), Number(item.slice(colon + 1)));
    at = end + 1;
  }
}

export function sumOfSeries(series: string): number {
  let sum = 0;
  readSeries(series, (_slot, count) => {
    sum += count;
  });
  return sum;
}

/**
 * Counts that can be added to. `slot` counts quarters from the start of the day. Beyond `maxReferrers` hosts or
 * pages, further ones count as `other`.
 */
export class UnpackedCounts {
  readonly #series = new Map<string, Map<number, number>>();
  /** By the key of those beyond the bound. */
  readonly #bounded = new Map<string, number>();
  readonly #maxReferrers: number;

  constructor(maxReferrers: number = MAX_REFERRERS) {
    this.#maxReferrers = maxReferrers;
  }

  add(key: string, slot: number, count: number): void {
    const boundedKey = this.#boundedKey(key);
    const series = this.#series.get(boundedKey);
    if (series === undefined) this.#series.set(boundedKey, new Map([[slot, count]]));
    else series.set(slot, (series.get(slot) ?? 0) + count);
  }

  addPacked(packed: PackedCounts): void {
    for (const [key, series] of Object.entries(packed)) {
      readSeries(series, (slot, count) => this.add(key, slot, count));
    }
  }

  pack(): PackedCounts {
    return Object.fromEntries([...this.#series].map(([key, series]) => [key, packSeries(series)]));
  }

  #boundedKey(key: string): string {
    const overflow = overflowKey(key);
    if (overflow === null || key === overflow || this.#series.has(key)) return key;
    const count = this.#bounded.get(overflow) ?? 0;
    if (count >= this.#maxReferrers) return overflow;
    this.#bounded.set(overflow, count + 1);
    return key;
  }
}

function packSeries(series: ReadonlyMap<number, number>): string {
  return [...series]
    .sort(([a], [b]) => a - b)
    .map(([slot, count]) => (count === 1 ? `${slot}` : `${slot}:${count}`))
    .join(" ");
}
