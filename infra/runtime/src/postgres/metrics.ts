import { Gauge, type Registry } from "prom-client";
import { registerDurations } from "../metrics/durations.ts";
import { registerGauge } from "../metrics/metrics.ts";
import type { Postgres } from "./postgres.ts";

/** Shows whether Postgres answers, how fast, and how the pool is used. */
export function registerPostgresMetrics(
  registry: Registry,
  postgres: Pick<Postgres, "use" | "isAnswering" | "durations">,
): void {
  registerGauge(
    registry,
    { name: "tapthru_postgres_up", help: "1 where Postgres answered when it was asked last" },
    () => Number(postgres.isAnswering),
  );
  registerDurations(
    registry,
    {
      name: "tapthru_postgres_request_duration_seconds",
      help: "A statement or transaction, waiting for a connection included, by what came of it",
    },
    [postgres.durations],
  );
  registerGauge(
    registry,
    { name: "tapthru_postgres_waiting_requests", help: "What waits for a connection to Postgres" },
    () => postgres.use().waiting,
  );
  new Gauge({
    name: "tapthru_postgres_connections",
    help: "Connections to Postgres; max is as many as there may be",
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
