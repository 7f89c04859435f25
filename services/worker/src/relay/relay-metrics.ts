import type { Logger } from "@tapthru/runtime/logger";
import { PostgresBusyError, PostgresUnavailableError } from "@tapthru/runtime/postgres/postgres";
import { withDeadline } from "@tapthru/runtime/waiting";
import { Gauge, type Registry } from "prom-client";
import type { CommonQueryMethods } from "slonik";
import { countUnprojected, findOldestAge } from "./queries.ts";

/** How long a scrape waits for Postgres; after that, the previous values are exposed. */
const MEASURE_TIMEOUT_MS = 1_000;

type Measure = (db: CommonQueryMethods) => Promise<number>;

/** While Postgres is unavailable, which its client logs, the previous values are exposed. */
export function registerOutboxMetrics(
  registry: Registry,
  { db, logger }: { db: CommonQueryMethods; logger: Logger },
): void {
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
        try {
          this.set(await withDeadline(measure(db), MEASURE_TIMEOUT_MS, timeoutError));
        } catch (err) {
          if (err instanceof PostgresUnavailableError) return;
          logger.error({ event: "metrics_failed", err, metric: name }, "failed to collect metrics");
        }
      },
    });
  }
}

function timeoutError(): PostgresUnavailableError {
  return new PostgresBusyError("Postgres did not measure the outbox in time");
}
