import type { Logger } from "@tapthru/runtime/logger";
import { measured } from "@tapthru/runtime/postgres/metrics";
import { Gauge, type Registry } from "prom-client";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

export function registerReportMetrics(
  registry: Registry,
  { db, logger }: { db: Pick<CommonQueryMethods, "oneFirst">; logger: Logger },
): void {
  new Gauge({
    name: "tapthru_reports_open",
    help: "Links that visitors reported and that were neither taken down nor dismissed",
    registers: [registry],
    async collect() {
      const metric = "tapthru_reports_open";
      const count = await measured(countReportedLinks(db), { metric, logger });
      if (count !== null) this.set(count);
    },
  });
}

function countReportedLinks(db: Pick<CommonQueryMethods, "oneFirst">): Promise<number> {
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    SELECT count(DISTINCT short_code) AS count FROM reports
  `);
}
