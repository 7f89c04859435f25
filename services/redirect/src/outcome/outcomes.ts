import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import type { Registry } from "prom-client";
import { AddressLimiter } from "../address-limit.ts";
import { OutcomeLimits } from "./outcome-limits.ts";
import { createOutcomeMetrics, type OutcomeMetrics } from "./outcome-metrics.ts";
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

export function createOutcomes(options: {
  key: string;
  hasRateLimits: boolean;
  registry: Registry;
}): Outcomes {
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
