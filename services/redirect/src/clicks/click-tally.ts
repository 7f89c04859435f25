import type { LinkClicks } from "@tapthru/proto/clicks/batch";
import { quarterAt } from "@tapthru/proto/clicks/quarters";
import { QuarterClickLog } from "./quarter-click-log.ts";

export interface TakenClicks {
  /** Number of links, where each quarter-hour counts on its own. */
  size: number;
  /** To be read once. Each link is added up when it is read. */
  links: Iterable<LinkClicks>;
}

/** The clicks since the last call of `take`, by link and quarter-hour. */
export class ClickTally {
  #current = new QuarterClickLog();
  #earlier: QuarterClickLog[] = [];
  /** A list that has been read, to be used again. */
  #spare: QuarterClickLog | null = null;

  /**
   * @param keys each counts once
   * @param visitor a register value; null if not known
   * @param now Unix milliseconds
   */
  add(shortCode: string, keys: readonly string[], visitor: number | null, now: number): void {
    const quarter = quarterAt(now);
    if (quarter !== this.#current.quarter) this.#startList(quarter);
    this.#current.add(shortCode, keys, visitor);
  }

  take(): TakenClicks {
    this.#startList(this.#current.quarter);
    const lists = this.#earlier;
    this.#earlier = [];
    return {
      size: lists.reduce((sum, { size }) => sum + size, 0),
      links: this.#linksOf(lists),
    };
  }

  #startList(quarter: number): void {
    if (this.#current.size > 0) {
      this.#earlier.push(this.#current);
      this.#current = this.#spare ?? new QuarterClickLog();
      this.#spare = null;
    }
    this.#current.restart(quarter);
  }

  *#linksOf(lists: readonly QuarterClickLog[]): Generator<LinkClicks> {
    for (const list of lists) {
      yield* list.links();
      this.#spare = list;
    }
  }
}
