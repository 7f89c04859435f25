import { Gauge, type Registry } from "prom-client";
import type { Logger } from "../logger.ts";
import { registerDurations } from "../metrics/durations.ts";
import { registerGauge } from "../metrics/metrics.ts";
import { withDeadline } from "../waiting.ts";
import { PostgresBusyError, PostgresUnavailableError } from "./errors.ts";
import type { Postgres } from "./postgres.ts";

/** Registers metrics of Postgres: availability, latency, and use of the pool. */
export function registerPostgresMetrics(
  registry: Registry,
  postgres: Pick<Postgres, "use" | "isAvailable" | "durations" | "statementDurations">,
): void {
  registerGauge(
    registry,
    {
      name: "tapthru_postgres_up",
      help: "1 if Postgres responded to the last query, also if that took too long",
    },
    () => Number(postgres.isAvailable),
  );
  registerDurations(
    registry,
    {
      name: "tapthru_postgres_request_duration_seconds",
      help: "Duration of a statement or transaction, waiting for a connection included, by result",
    },
    [postgres.durations],
  );
  registry.registerMetric(postgres.statementDurations);
  registerGauge(
    registry,
    {
      name: "tapthru_postgres_waiting_requests",
      help: "Requests waiting for a connection to Postgres",
    },
    () => postgres.use().waiting,
  );
  new Gauge({
    name: "tapthru_postgres_connections",
    help: "Connections to Postgres by state; max is the limit",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { active, idle, max } = postgres.use();
      this.set({ state: "active" }, active);
      this.set({ state: "idle" }, idle);
      this.set({ state: "max" }, max);
    },
  });
}

/** How long a scrape waits for Postgres. */
const MEASURE_TIMEOUT_MS = 1_000;

/**
 * Waits for what a scrape reads from Postgres.
 * @param metric its name, for the log
 * @returns null while Postgres is unavailable, which its client logs, or slow: the metric then keeps its value
 */
export async function measured<T>(
  work: Promise<T>,
  { metric, logger }: { metric: string; logger: Pick<Logger, "error"> },
): Promise<T | null> {
  try {
    return await withDeadline(work, MEASURE_TIMEOUT_MS, () => new PostgresBusyError(metric));
  } catch (err) {
    if (!(err instanceof PostgresUnavailableError))
      logger.error({ event: "metrics_failed", err, metric }, "failed to collect metrics");
    return null;
  }
}
