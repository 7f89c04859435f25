import { Gauge, type Registry } from "prom-client";
import type { Logger } from "../logger.ts";
import { registerDurations } from "../metrics/durations.ts";
import { registerGauge } from "../metrics/metrics.ts";
import { withDeadline } from "../waiting.ts";
import { PostgresBusyError, PostgresUnavailableError } from "./errors.ts";
import type { Postgres } from "./postgres.ts";

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

const MEASURE_TIMEOUT_MS = 1_000;

interface MeasuredGauge<Value> {
  name: string;
  help: string;
  labelNames?: string[];
  read(): Promise<Value>;
  show(gauge: Gauge, value: Value): void;
}

/** A gauge that each scrape reads from Postgres. It keeps its value while Postgres is unavailable, which its client logs, or slow. */
export function registerMeasured<Value>(
  registry: Registry,
  logger: Pick<Logger, "error">,
  { read, show, ...options }: MeasuredGauge<Value>,
): void {
  const { name: metric } = options;
  new Gauge({
    ...options,
    registers: [registry],
    async collect() {
      try {
        const busy = () => new PostgresBusyError(metric);
        show(this, await withDeadline(read(), MEASURE_TIMEOUT_MS, busy));
      } catch (err) {
        if (!(err instanceof PostgresUnavailableError))
          logger.error({ event: "metrics_failed", err, metric }, "failed to collect metrics");
      }
    },
  });
}
