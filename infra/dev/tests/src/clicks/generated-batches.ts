import type { ClickBatch, LinkClicks } from "@tapthru/proto/clicks/batch";
import { type ClickClass, classKey, dimensionKey, OPENED_KEY, PAGE_KEY, STAYED_KEY } from "@tapthru/proto/clicks/keys";
import { firstQuarterOf, QUARTERS_PER_DAY } from "@tapthru/proto/clicks/quarters";

/** Numbers below `limit`, always the same ones for a seed (mulberry32). */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

interface StreamOptions {
  seed: number;
  batches: number;
  shortCodes: readonly string[];
  /** The first day in UTC, such as 2026-11-01. */
  from: string;
  days: number;
}

/** Batches as redirects send them: several links, all classes, referrers and pages beyond the bound, repeated visitors. */
export function generatedBatches(options: StreamOptions): ClickBatch[] {
  const random = createRandom(options.seed);
  return Array.from({ length: options.batches }, (_, index) => {
    const day = random(options.days);
    return {
      id: `00000000-0000-4000-8000-${(options.seed * 100_000 + index).toString(16).padStart(12, "0")}`,
      links: Array.from({ length: 1 + random(30) }, () => linkClicks(random, options, day)),
      outcomes: [],
    };
  });
}

function linkClicks(random: (limit: number) => number, options: StreamOptions, batchDay: number): LinkClicks {
  const counts: Record<string, number> = {};
  const add = (key: string, count = 1) => {
    counts[key] = (counts[key] ?? 0) + count;
  };
  const one = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const visitors: number[] = [];
  const kind = one<ClickClass>(["person", "person", "person", "preview", "bot", "prefetch", "assistant"]);
  const clicks = 1 + random(4);
  add(classKey(kind), clicks);
  for (let i = 0; kind === "person" && i < clicks; i++) {
    add(dimensionKey("device", one(["ios", "android", "desktop"])));
    add(dimensionKey("app", one(["instagram", "tiktok", "none"])));
    add(dimensionKey("country", one(["DE", "IN", "NP", "US", "unknown"])));
    add(dimensionKey("referrer", one(["direct", "chatgpt.com", "claude.ai", `host${random(80)}.example`])));
    if (random(2) === 0) add(dimensionKey("page", `host.example/${random(80)}`));
    if (random(3) === 0) add(dimensionKey("store", one(["de", "co.uk"])));
    if (random(2) === 0) add(PAGE_KEY);
    if (random(4) === 0) add(one([OPENED_KEY, STAYED_KEY]));
    visitors.push(random(60) * 64 + 1 + random(3));
  }
  // Two links have clicks of many websites on one day.
  const isBusy = random(4) === 0;
  const shortCode = isBusy ? one(options.shortCodes.slice(0, 2)) : one(options.shortCodes);
  const day = isBusy ? 12 : batchDay;
  const quarter = firstQuarterOf(options.from) + day * QUARTERS_PER_DAY + random(QUARTERS_PER_DAY);
  return { shortCode, quarter, counts, visitors };
}
