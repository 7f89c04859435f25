import { randomBytes } from "node:crypto";
import { dailyKeys } from "@tapthru/core/platform/daily-keys";
import { siteNetwork } from "@tapthru/core/platform/http/network-address";
import { LRUCache } from "lru-cache";

/** By row of the strategy table and day. A mobile network has thousands of such networks. */
const REPORTS_PER_NETWORK = 20;
const MAX_ENTRIES = 100_000;

/**
 * Which reports count. Anyone gets a proof by opening a link, so each page counts once, and for the rates that the public and
 * operators see only a few reports of each network do. Each replica counts for itself.
 */
export class OutcomeLimits {
  readonly #hasLimits: boolean;
  readonly #keyOf = dailyKeys(randomBytes(32).toString("hex"));
  readonly #pages = new LRUCache<string, true>({ max: MAX_ENTRIES });
  readonly #reports = new LRUCache<string, number>({ max: MAX_ENTRIES });

  /** @param hasLimits whether networks are limited */
  constructor(hasLimits: boolean) {
    this.#hasLimits = hasLimits;
  }

  /** False if the page with this id reported before. */
  takePage(id: string): boolean {
    if (this.#pages.has(id)) return false;
    this.#pages.set(id, true);
    return true;
  }

  /** Whether a report for the row counts for the rates. */
  admit(address: string, row: string): boolean {
    if (!this.#hasLimits) return true;
    const key = `${this.#keyOf(siteNetwork(address))} ${row}`;
    const reports = this.#reports.get(key) ?? 0;
    if (reports >= REPORTS_PER_NETWORK) return false;
    this.#reports.set(key, reports + 1);
    return true;
  }
}
