import type { Outcome } from "@tapthru/proto/redirect/outcome";
import type { AppOpeningStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { Counter, type Registry } from "prom-client";
import { AddressLimiter } from "../address-limit.ts";
import { OutcomeLimits } from "./outcome-limits.ts";
import { createOutcomeProofs, type OutcomeProofs } from "./outcome-proofs.ts";

const MAX_ADDRESSES = 10_000;

/** Proofs, metrics and limits for the reports of app-opening pages. */
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
