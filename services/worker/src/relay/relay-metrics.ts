import type { Logger } from "@tapthru/runtime/logger";
import { measured } from "@tapthru/runtime/postgres/metrics";
import { Gauge, type Registry } from "prom-client";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

type Measure = (db: CommonQueryMethods) => Promise<number>;

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
        const value = await measured(measure(db), { metric: name, logger });
        if (value !== null) this.set(value);
      },
    });
  }
}

function countUnprojected(db: CommonQueryMethods): Promise<number> {
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    SELECT count(*) AS count FROM link_changes WHERE projected_at IS NULL
  `);
}

/** Age of the oldest unprojected row in seconds; 0 if all rows are projected. */
async function findOldestAge(db: CommonQueryMethods): Promise<number> {
  const age = await db.maybeOneFirst(sql.type(z.object({ age: z.number() }))`
    SELECT extract(epoch FROM now() - created_at) AS age FROM link_changes
    WHERE projected_at IS NULL ORDER BY id LIMIT 1
  `);
  return age ?? 0;
}
