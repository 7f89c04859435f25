import { withDeadline } from "@tapthru/runtime/deadline";
import { Gauge, type Registry } from "prom-client";
import type { CommonQueryMethods } from "slonik";
import { countUnprojected, findOldestAge } from "./queries.ts";

/** How long a scrape waits for Postgres; after it, the previous values are exposed. */
const MEASURE_TIMEOUT_MS = 1_000;

type Measure = (db: CommonQueryMethods) => Promise<number>;

export function registerOutboxMetrics(registry: Registry, db: CommonQueryMethods): void {
  gauge(
    "tapthru_outbox_changes",
    "Rows of the outbox that were not projected yet",
    countUnprojected,
  );
  gauge("tapthru_outbox_lag_seconds", "Age of the oldest of them", findOldestAge);

  function gauge(name: string, help: string, measure: Measure): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const measuring = withDeadline(
          measure(db),
          MEASURE_TIMEOUT_MS,
          () => new Error("too late"),
        );
        await measuring.then((value) => this.set(value)).catch(() => {});
      },
    });
  }
}
