import type { Logger } from "@tapthru/core/platform/logger";
import { measured } from "@tapthru/core/platform/postgres/metrics";
import { Gauge, type Registry } from "prom-client";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

export function registerReportMetrics(
  registry: Registry,
  { db, logger }: { db: Pick<CommonQueryMethods, "oneFirst">; logger: Logger },
): void {
  new Gauge({
    name: "tapthru_reports_oldest_open_seconds",
    help: "How long a reported link has been waiting for a decision; 0 if none is",
    registers: [registry],
    async collect() {
      const metric = "tapthru_reports_oldest_open_seconds";
      const seconds = await measured(findLongestWait(db), { metric, logger });
      if (seconds !== null) this.set(seconds);
    },
  });
}

function findLongestWait(db: Pick<CommonQueryMethods, "oneFirst">): Promise<number> {
  return db.oneFirst(sql.type(z.object({ seconds: z.number() }))`
    SELECT coalesce(extract(epoch FROM now() - min(opened_at)), 0)::float8 AS seconds
    FROM reports WHERE decision IS NULL
  `);
}
