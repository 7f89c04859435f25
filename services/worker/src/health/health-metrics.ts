import {
  LINK_STATES,
  type LinkState,
  PAGE_STATES,
  type PageState,
} from "@tapthru/proto/rules/link-health";
import type { Logger } from "@tapthru/runtime/logger";
import { measured } from "@tapthru/runtime/postgres/metrics";
import { Counter, Gauge, type Registry } from "prom-client";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** Counting reads all links with an owner, for as long as a statement may take. */
const MEASURE_INTERVAL_MS = 5 * 60_000;

export interface HealthMetrics {
  countCheck(found: PageState): void;
}

export function createHealthMetrics(
  registry: Registry,
  { db, logger }: { db: Pick<CommonQueryMethods, "any">; logger: Logger },
): HealthMetrics {
  const registers = [registry];
  const checks = new Counter({
    name: "tapthru_link_checks_total",
    help: "Checks of pages by result; unknown: a captcha, a refusal, an error or no response",
    labelNames: ["result"],
    registers,
  });
  for (const result of PAGE_STATES) checks.inc({ result }, 0);
  const oldest = new Gauge({
    name: "tapthru_link_check_oldest_seconds",
    help: "Time since the last check that found a state, of the page of a live link with an owner for which it is longest",
    registers,
  });
  let measuredAt = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: "tapthru_links_by_health",
    help: "Live links with an owner by state",
    labelNames: ["state"],
    registers,
    async collect() {
      if (performance.now() - measuredAt < MEASURE_INTERVAL_MS) return;
      measuredAt = performance.now();
      // A later scrape has the result of a count that takes longer than a scrape waits.
      const counted = countLinks(db).then((counts) => {
        for (const state of LINK_STATES) {
          this.set({ state }, counts.find((row) => row.state === state)?.count ?? 0);
        }
        oldest.set(Math.max(0, ...counts.map(({ oldestSeconds }) => oldestSeconds ?? 0)));
      });
      await measured(counted, { metric: "tapthru_links_by_health", logger });
    },
  });

  return { countCheck: (result) => checks.inc({ result }) };
}

const StateCount = z.object({
  state: z.custom<LinkState>((value) => LINK_STATES.some((state) => state === value)),
  count: z.int(),
  oldestSeconds: z.nullable(z.number()),
});

/** A page that was never checked counts from the creation of its first link. */
function countLinks(
  db: Pick<CommonQueryMethods, "any">,
): Promise<readonly z.infer<typeof StateCount>[]> {
  return db.any(sql.type(StateCount)`
    SELECT health.state, count(*)::int AS count,
      extract(epoch FROM now() - min(coalesce(product.checked_at, product.created_at)))::float
        AS "oldestSeconds"
    FROM link_health health JOIN links link ON link.id = health.link_id
    LEFT JOIN products product USING (canonical_url)
    WHERE link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now())
    GROUP BY health.state
  `);
}
