import { CLICK_STREAMS, clickStreamOf, type LinkClicks } from "@tapthru/proto/clicks/batch";
import { quarterAt } from "@tapthru/proto/clicks/quarters";

export interface TakenClicks {
  /** Number of links, where each quarter-hour counts on its own. */
  size: number;
  /** To be read once. */
  links: Iterable<LinkClicks>;
}

type Quarters = Map<number, Map<string, LinkClicks>>;
const noQuarters = () => CLICK_STREAMS.map((): Quarters => new Map());

/** The clicks since the last call of `take`, by stream, quarter-hour and short code. */
export class ClickTally {
  #streams = noQuarters();

  /**
   * @param keys each counts once
   * @param visitor a register value; null if not known
   * @param now Unix milliseconds
   */
  add(shortCode: string, keys: readonly string[], visitor: number | null, now: number): void {
    const { counts, visitors } = this.#clicksOf(shortCode, quarterAt(now));
    for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
    if (visitor !== null) visitors.push(visitor);
  }

  /** Those of each of CLICK_STREAMS. */
  take(): TakenClicks[] {
    const streams = this.#streams;
    this.#streams = noQuarters();
    return streams.map((quarters) => ({
      size: [...quarters.values()].reduce((sum, links) => sum + links.size, 0),
      links: withDistinctVisitors(quarters),
    }));
  }

  #clicksOf(shortCode: string, quarter: number): LinkClicks {
    const quarters = this.#streams[clickStreamOf(shortCode)] as Quarters;
    let links = quarters.get(quarter);
    if (links === undefined) {
      links = new Map();
      quarters.set(quarter, links);
    }
    let clicks = links.get(shortCode);
    if (clicks === undefined) {
      clicks = { shortCode, quarter, counts: {}, visitors: [] };
      links.set(shortCode, clicks);
    }
    return clicks;
  }
}

/** Visitors are made distinct when a link is read, so that a visit adds only a number. */
function* withDistinctVisitors(quarters: Quarters): Generator<LinkClicks> {
  for (const links of quarters.values()) {
    for (const clicks of links.values()) yield { ...clicks, visitors: [...new Set(clicks.visitors)] };
  }
}
