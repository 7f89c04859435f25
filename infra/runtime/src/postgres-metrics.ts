import { Gauge, type Registry } from "prom-client";
import type { Postgres } from "./postgres.ts";

/** Shows how many connections are active and idle, and how much work waits for one. */
export function observePostgres(registry: Registry, postgres: Pick<Postgres, "use">): void {
  new Gauge({
    name: "postgres_pool_connections",
    help: "Connections to Postgres, and work that waits for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(postgres.use())) this.set({ state }, count);
    },
  });
}
