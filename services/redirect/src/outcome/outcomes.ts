import { randomBytes } from "node:crypto";
import { dailyKeys } from "@tapthru/core/platform/daily-keys";
import { siteNetwork } from "@tapthru/core/platform/http/network-address";
import type { Outcome } from "@tapthru/proto/redirect/outcome";
import type { AppOpeningStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { LRUCache } from "lru-cache";
import { Counter, type Registry } from "prom-client";
import { AddressLimiter } from "../address-limit.ts";
import { createOutcomeProofs, type OutcomeProofs } from "./outcome-proofs.ts";

/** By row of the strategy table and day. A mobile network has thousands of such networks. */
const REPORTS_PER_NETWORK = 20;
const MAX_ENTRIES = 100_000;

/**
 * Which reports count. Anyone gets a proof by opening a link, so each page counts once, and for the rates that the public and
 * operators see only a few reports of each network do. Each replica counts for itself.
 */
class OutcomeLimits {
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

  /** Returns true if a report for the row counts for the rates. */
  admit(address: string, row: string): boolean {
    if (!this.#hasLimits) return true;
    const key = `${this.#keyOf(siteNetwork(address))} ${row}`;
    const reports = this.#reports.get(key) ?? 0;
    if (reports >= REPORTS_PER_NETWORK) return false;
    this.#reports.set(key, reports + 1);
    return true;
  }
}

const MAX_ADDRESSES = 10_000;

export interface Outcomes {
  proofs: OutcomeProofs;
  metrics: OutcomeMetrics;
  /** Counts one report against the limit of the address. */
  isWithinLimit(address: string): boolean;
  limits: OutcomeLimits;
}

export function createOutcomes(options: { key: string; hasRateLimits: boolean; registry: Registry }): Outcomes {
  const limiter = options.hasRateLimits
    ? new AddressLimiter({
        perMinute: RATE_LIMITS_PER_MINUTE.outcome.address,
        maxAddresses: MAX_ADDRESSES,
      })
    : null;
  return {
    proofs: createOutcomeProofs(options.key),
    metrics: createOutcomeMetrics(options.registry),
    limits: new OutcomeLimits(options.hasRateLimits),
    isWithinLimit: (address) => !limiter?.consume(address, performance.now()),
  };
}

interface OutcomeMetrics {
  count(tableVersion: string, strategy: AppOpeningStrategy, outcome: Outcome["outcome"]): void;
}

/** Label values come from the strategy table, never from the browser. */
function createOutcomeMetrics(registry: Registry): OutcomeMetrics {
  const outcomes = new Counter({
    name: "tapthru_app_opening_outcomes_total",
    help: "Outcomes that app-opening pages report, by version and row of the strategy table, in-app browser and system",
    labelNames: ["table", "row", "app", "os", "outcome"] as const,
    registers: [registry],
  });
  return {
    count: (table, { id, app, os }, outcome) => outcomes.inc({ table, row: id, app, os, outcome }),
  };
}
