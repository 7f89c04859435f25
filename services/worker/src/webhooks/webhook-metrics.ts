import type { Logger } from "@tapthru/core/platform/logger";
import { measured } from "@tapthru/core/platform/postgres/metrics";
import { Counter, Gauge, type Registry } from "prom-client";
import type { CommonQueryMethods } from "slonik";
import { type AttemptResult, findOldestDue } from "./queries.ts";

const RESULTS = ["delivered", "bad-status", "no-response"] as const;

export interface WebhookMetrics {
  countAttempt(result: AttemptResult): void;
}

export function createWebhookMetrics(
  registry: Registry,
  { db, logger }: { db: Pick<CommonQueryMethods, "oneFirst">; logger: Logger },
): WebhookMetrics {
  const attempts = new Counter({
    name: "tapthru_webhook_attempts_total",
    help: "Requests to webhooks by result: confirmed, another status, or no response",
    labelNames: ["result"],
    registers: [registry],
  });
  for (const result of RESULTS) attempts.inc({ result }, 0);
  new Gauge({
    name: "tapthru_webhook_lag_seconds",
    help: "How long the oldest event has been due that no pause of its webhook delays; 0 without one",
    registers: [registry],
    async collect() {
      const metric = "tapthru_webhook_lag_seconds";
      const seconds = await measured(findOldestDue(db), { metric, logger });
      if (seconds !== null) this.set(seconds);
    },
  });

  return {
    countAttempt: (result) => attempts.inc({ result: resultName(result) }),
  };
}

function resultName(result: AttemptResult): (typeof RESULTS)[number] {
  if (!("status" in result)) return "no-response";
  return result.status >= 200 && result.status < 300 ? "delivered" : "bad-status";
}
