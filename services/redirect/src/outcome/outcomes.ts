import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import type { Registry } from "prom-client";
import { AddressLimiter } from "../resolve/address-limit.ts";
import { createOutcomeMetrics, type OutcomeMetrics } from "./outcome-metrics.ts";
import { createOutcomeProofs, type OutcomeProofs } from "./outcome-proofs.ts";

const MAX_ADDRESSES = 10_000;

/** What the reports of app-opening pages need: proofs to hand out and check, counters, a limit. */
export interface Outcomes {
  proofs: OutcomeProofs;
  metrics: OutcomeMetrics;
  /** Counts one report. */
  isWithinLimit(address: string): boolean;
}

export function createOutcomes(needs: {
  key: string;
  limitsReports: boolean;
  registry: Registry;
}): Outcomes {
  const limit = new AddressLimiter({
    perMinute: RATE_LIMITS_PER_MINUTE.outcome.address,
    maxAddresses: MAX_ADDRESSES,
  });
  return {
    proofs: createOutcomeProofs(needs.key),
    metrics: createOutcomeMetrics(needs.registry),
    isWithinLimit: (address) =>
      !needs.limitsReports || limit.take(address, performance.now()) === 0,
  };
}
