import type { Logger } from "@tapthru/core/platform/logger";
import { measured } from "@tapthru/core/platform/postgres/metrics";
import { Gauge, type Registry } from "prom-client";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

export function registerOutboxMetrics(
  registry: Registry,
  { db, logger }: { db: CommonQueryMethods; logger: Logger },
): void {
  new Gauge({
    name: "tapthru_outbox_lag_seconds",
    help: "Age of the oldest row of the outbox that was not projected yet; 0 without one",
    registers: [registry],
    async collect() {
      const metric = "tapthru_outbox_lag_seconds";
      const age = await measured(findOldestAge(db), { metric, logger });
      if (age !== null) this.set(age);
    },
  });
}

async function findOldestAge(db: CommonQueryMethods): Promise<number> {
  const age = await db.maybeOneFirst(sql.type(z.object({ age: z.number() }))`
    SELECT extract(epoch FROM now() - created_at) AS age FROM link_changes
    WHERE projected_at IS NULL ORDER BY id LIMIT 1
  `);
  return age ?? 0;
}
