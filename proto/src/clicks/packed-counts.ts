import * as z from "zod/mini";
import { AD_SOURCE, dimensionKey, dimensionPrefix, MAX_REFERRERS, OTHER_REFERRER } from "./keys.ts";
import { QUARTERS_PER_DAY } from "./quarters.ts";

const REFERRER_PREFIX = dimensionPrefix("referrer");
const OTHER_REFERRERS_KEY = dimensionKey("referrer", OTHER_REFERRER);
const SOURCE_PREFIX = dimensionPrefix("source");
const OTHER_SOURCES_KEY = dimensionKey("source", OTHER_REFERRER);
const UNBOUNDED_SOURCE_KEYS = [OTHER_SOURCES_KEY, dimensionKey("source", AD_SOURCE)];
/** The part of the places of sources that the last ones have. */
const SHARE_OF_LAST = 0.2;

/**
 * The counts of a link or user on a day: for each key its quarters as text, such as "37 40:12" for one in the 37th
 * quarter of the day and twelve in the 40th. Postgres does not keep the order of keys: an item without a count after the
 * quarters, such as "107:0", is the place of a source in the order in which they were used last.
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
 * Counts that can be added to. `slot` counts quarters from the start of the day. Beyond `maxReferrers` hosts, further ones
 * count as `other`. Anyone can name a source, so of as many sources those with the most taps and the last ones stay, and
 * nobody can fill the places before a source is used. The series of sources are in the order of their last use.
 */
export class UnpackedCounts {
  readonly #series = new Map<string, Map<number, number>>();
  #referrers = 0;
  readonly #maxReferrers: number;

  constructor(maxReferrers: number = MAX_REFERRERS) {
    this.#maxReferrers = maxReferrers;
  }

  add(key: string, slot: number, count: number): void {
    const boundedKey = this.#boundedKey(key);
    const series = this.#series.get(boundedKey) ?? new Map<number, number>();
    series.set(slot, (series.get(slot) ?? 0) + count);
    if (isBoundedSource(boundedKey)) this.#series.delete(boundedKey);
    this.#series.set(boundedKey, series);
  }

  addPacked(packed: PackedCounts): void {
    for (const [key, series] of Object.entries(packed).toSorted(([, a], [, b]) => placeOf(a) - placeOf(b))) {
      readSeries(series, (slot, count) => {
        if (count > 0) this.add(key, slot, count);
      });
    }
  }

  pack(): PackedCounts {
    const sources = [...this.#series].filter(([key]) => isBoundedSource(key));
    const taps = ([, series]: (typeof sources)[number]) => sumOfSeries(packSeries(series));
    const last = this.#maxReferrers * SHARE_OF_LAST;
    const most = new Set(sources.toSorted((a, b) => taps(b) - taps(a)).slice(0, this.#maxReferrers - last));
    for (const [key, series] of sources.filter((source) => !most.has(source)).slice(0, -last)) {
      for (const [slot, count] of series) this.add(OTHER_SOURCES_KEY, slot, count);
      this.#series.delete(key);
    }
    const order = sources.length < this.#maxReferrers ? [] : sources.map(([key]) => key);
    return Object.fromEntries(
      [...this.#series].map(([key, series]) => {
        const place = order.indexOf(key);
        return [key, place === -1 ? packSeries(series) : `${packSeries(series)} ${QUARTERS_PER_DAY + place}:0`];
      }),
    );
  }

  #boundedKey(key: string): string {
    if (!key.startsWith(REFERRER_PREFIX) || key === OTHER_REFERRERS_KEY || this.#series.has(key)) return key;
    return this.#referrers++ < this.#maxReferrers ? key : OTHER_REFERRERS_KEY;
  }
}

const isBoundedSource = (key: string) => key.startsWith(SOURCE_PREFIX) && !UNBOUNDED_SOURCE_KEYS.includes(key);

const placeOf = (series: string) => Number(/ (\d{1,4}):0$/.exec(series)?.[1] ?? 0);

function packSeries(series: ReadonlyMap<number, number>): string {
  return [...series]
    .sort(([a], [b]) => a - b)
    .map(([slot, count]) => (count === 1 ? `${slot}` : `${slot}:${count}`))
    .join(" ");
}
