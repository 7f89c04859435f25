import type { Logger } from "@tapthru/core/platform/logger";
import { measured } from "@tapthru/core/platform/postgres/metrics";
import { Counter, Gauge, type Registry } from "prom-client";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { OrderProblem } from "./acme/order-problem.ts";

const RESULTS = [
  "issued",
  "not-sent",
  "caa-forbids",
  "order-limit",
  "authority-unavailable",
  "order-refused",
] as const satisfies (OrderProblem | "issued" | "not-sent")[];

export interface CertificateMetrics {
  countOrder(result: (typeof RESULTS)[number]): void;
}

const STATES = ["valid", "ending", "ended", "missing"] as const;

export function createCertificateMetrics(
  registry: Registry,
  { db, logger }: { db: Pick<CommonQueryMethods, "any">; logger: Logger },
): CertificateMetrics {
  const registers = [registry];
  const orders = new Counter({
    name: "tapthru_certificate_orders_total",
    help: "Orders of certificates by result; not-sent: the host did not lead here, or the limits of the authority were used up",
    labelNames: ["result"],
    registers,
  });
  for (const result of RESULTS) orders.inc({ result }, 0);
  new Gauge({
    name: "tapthru_certificates",
    help: "Hosts that need a certificate; ending: it should have been renewed, and less than a sixth of its life is left; missing: not issued yet",
    labelNames: ["state"],
    registers,
    async collect() {
      const counts = await measured(countCertificates(db), {
        metric: "tapthru_certificates",
        logger,
      });
      if (counts === null) return;
      for (const state of STATES) {
        this.set({ state }, counts.find((row) => row.state === state)?.count ?? 0);
      }
    },
  });
  return { countOrder: (result) => orders.inc({ result }) };
}

const StateCount = z.object({ state: z.enum(STATES), count: z.int() });

function countCertificates(
  db: Pick<CommonQueryMethods, "any">,
): Promise<readonly z.infer<typeof StateCount>[]> {
  return db.any(sql.type(StateCount)`
    SELECT CASE
        WHEN not_after IS NULL THEN 'missing'
        WHEN not_after <= now() THEN 'ended'
        WHEN not_after - now() < (not_after - issued_at) / 6 THEN 'ending'
        ELSE 'valid'
      END AS state, count(*)::int AS count
    FROM certificates AS certificate
    WHERE is_site OR EXISTS (
      SELECT FROM domains
      WHERE domains.host = certificate.host AND verified_at IS NOT NULL AND off_at IS NULL
    )
    GROUP BY 1
  `);
}
