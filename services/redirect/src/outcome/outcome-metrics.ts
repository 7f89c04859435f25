import type { Outcome } from "@tapthru/proto/redirect/outcome";
import type { AppOpeningStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { Counter, type Registry } from "prom-client";

export interface OutcomeMetrics {
  count(tableVersion: string, strategy: AppOpeningStrategy, outcome: Outcome["outcome"]): void;
}

/** Label values come from the strategy table, never from the browser. */
export function createOutcomeMetrics(registry: Registry): OutcomeMetrics {
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
