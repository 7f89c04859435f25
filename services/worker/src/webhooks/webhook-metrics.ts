import type { Logger } from "@tapthru/runtime/logger";
import { PostgresBusyError, PostgresUnavailableError } from "@tapthru/runtime/postgres/postgres";
import { withDeadline } from "@tapthru/runtime/waiting";
import { Counter, Gauge, type Registry } from "prom-client";
import type { CommonQueryMethods } from "slonik";
import { type AttemptResult, findOldestDue } from "./queries.ts";

/** How long a scrape waits for Postgres; after that, the previous value is exposed. */
const MEASURE_TIMEOUT_MS = 1_000;
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
      try {
        this.set(await withDeadline(findOldestDue(db), MEASURE_TIMEOUT_MS, timeoutError));
      } catch (err) {
        if (err instanceof PostgresUnavailableError) return;
        logger.error(
          { event: "metrics_failed", err, metric: "tapthru_webhook_lag_seconds" },
          "failed to collect metrics",
        );
      }
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

function timeoutError(): PostgresUnavailableError {
  return new PostgresBusyError("Postgres did not measure the webhooks in time");
}
