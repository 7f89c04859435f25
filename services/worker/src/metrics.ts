import type { Logger } from "@tapthru/core/platform/logger";
import { registerCounts } from "@tapthru/core/platform/metrics/metrics";
import { registerMeasured } from "@tapthru/core/platform/postgres/metrics";
import { Gauge, type Registry } from "prom-client";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { ORDER_PROBLEMS } from "./acme/order-problem.ts";
import { findOldestDue } from "./webhooks/queries.ts";

export type Metrics = ReturnType<typeof registerMetrics>;

export function registerMetrics(registry: Registry, { db, logger }: { db: CommonQueryMethods; logger: Logger }) {
  registerMeasured(registry, logger, {
    name: "tapthru_outbox_lag_seconds",
    help: "Age of the oldest row of the outbox that was not projected yet; 0 without one",
    read: () =>
      db.maybeOneFirst(sql.type(Seconds)`
        SELECT extract(epoch FROM now() - created_at) AS seconds FROM link_changes
        WHERE projected_at IS NULL ORDER BY id LIMIT 1
      `),
    show: (gauge, seconds) => gauge.set(seconds ?? 0),
  });
  registerMeasured(registry, logger, {
    name: "tapthru_webhook_lag_seconds",
    help: "How long the oldest event has been due that no pause of its webhook delays; 0 without one",
    read: () => findOldestDue(db),
    show: (gauge, seconds) => gauge.set(seconds),
  });
  registerMeasured(registry, logger, {
    name: "tapthru_certificates",
    help: "Hosts that need a certificate; ending: it should have been renewed, and less than a sixth of its life is left; missing: not issued yet",
    labelNames: ["state"],
    read: () =>
      db.any(sql.type(CertificateCount)`
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
      `),
    show(gauge, counts) {
      for (const state of CERTIFICATE_STATES)
        gauge.set({ state }, counts.find((row) => row.state === state)?.count ?? 0);
    },
  });

  const clickLag = new Gauge({
    name: "tapthru_click_lag_seconds",
    help: "Age of the oldest batch of clicks in the queue that is not applied yet",
    registers: [registry],
  });
  return {
    /** @param seconds since the oldest batch was added that is not applied; 0 without one */
    setClickLag: (seconds: number) => clickLag.set(seconds),
    countOrder: registerCounts(
      registry,
      {
        name: "tapthru_certificate_orders_total",
        help: "Orders of certificates by result; not-sent: the host did not lead here, or the limits of the authority were used up",
      },
      ["issued", "not-sent", ...ORDER_PROBLEMS],
    ),
  };
}

const Seconds = z.object({ seconds: z.number() });
const CERTIFICATE_STATES = ["valid", "ending", "ended", "missing"] as const;
const CertificateCount = z.object({ state: z.enum(CERTIFICATE_STATES), count: z.int() });
