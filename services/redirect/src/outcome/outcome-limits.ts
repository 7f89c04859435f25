import { randomBytes } from "node:crypto";
import { dailyKeys } from "@tapthru/runtime/daily-keys";
import { siteNetwork } from "@tapthru/runtime/http/network-address";
import { LRUCache } from "lru-cache";
import { mainVersion } from "../clicks/outcome-tally.ts";

/** By row of the strategy table and day. A mobile network has thousands of such networks. */
const REPORTS_PER_NETWORK = 20;
/** Reports of an app's version from fewer networks on a day count as reports of an unknown version. */
const NETWORKS_OF_VERSION = 3;
const MAX_ENTRIES = 100_000;

/**
 * Which reports count. Anyone gets a proof by opening a link, and says any version of an app, so each page counts once, and
 * for the rates that the public and operators see only a few reports of each network do. Each replica counts for itself.
 */
export class OutcomeLimits {
  readonly #hasLimits: boolean;
  readonly #keyOf = dailyKeys(randomBytes(32).toString("hex"));
  readonly #pages = new LRUCache<string, true>({ max: MAX_ENTRIES });
  readonly #reports = new LRUCache<string, number>({ max: MAX_ENTRIES });
  readonly #networksOfVersion = new LRUCache<string, Set<string>>({ max: MAX_ENTRIES / 10 });

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

  /**
   * @returns null if the report does not count for the rates; otherwise the version for which it does, which may be unknown
   */
  admit(
    address: string,
    row: string,
    appVersion: string | null,
  ): { appVersion: string | null } | null {
    if (!this.#hasLimits) return { appVersion };
    const network = this.#keyOf(siteNetwork(address));
    const key = `${network} ${row}`;
    const reports = this.#reports.get(key) ?? 0;
    if (reports >= REPORTS_PER_NETWORK) return null;
    this.#reports.set(key, reports + 1);
    const isKnown = this.#isKnown(this.#keyOf(`${row} ${mainVersion(appVersion)}`), network);
    return { appVersion: isKnown ? appVersion : null };
  }

  #isKnown(version: string, network: string): boolean {
    const networks = this.#networksOfVersion.get(version) ?? new Set();
    if (networks.size < NETWORKS_OF_VERSION) networks.add(network);
    this.#networksOfVersion.set(version, networks);
    return networks.size >= NETWORKS_OF_VERSION;
  }
}
