import type { Outcome } from "@tapthru/proto/redirect/outcome";
import type { AppOpeningStrategy } from "@tapthru/proto/rules/app-opening";
import { Counter, type Registry } from "prom-client";

export interface OutcomeMetrics {
  count(tableVersion: string, row: AppOpeningStrategy, outcome: Outcome["outcome"]): void;
}

/** Labelled by what the strategy table holds, never by what a browser says. */
export function createOutcomeMetrics(registry: Registry): OutcomeMetrics {
  const outcomes = new Counter({
    name: "tapthru_app_opening_outcomes_total",
    help: "What app-opening pages report: by table version and row, in-app browser and system",
    labelNames: ["table", "row", "app", "os", "outcome"] as const,
    registers: [registry],
  });
  return {
    count: (table, { id, app, os }, outcome) => outcomes.inc({ table, row: id, app, os, outcome }),
  };
}
