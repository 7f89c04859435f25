import type { Logger } from "@tapthru/core/platform/logger";
import { measured } from "@tapthru/core/platform/postgres/metrics";
import { ImportState } from "@tapthru/proto/http/imports";
import { Counter, Gauge, type Registry } from "prom-client";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { LineResult } from "./store-results.ts";

export interface ImportMetrics {
  countLines(results: readonly LineResult[]): void;
}

export function createImportMetrics(
  registry: Registry,
  { db, logger }: { db: Pick<CommonQueryMethods, "any">; logger: Logger },
): ImportMetrics {
  const registers = [registry];
  const lines = new Counter({
    name: "tapthru_import_lines_total",
    help: "Lines of imports by result: a link with its code, a link with a new code, or none",
    labelNames: ["result"],
    registers,
  });
  for (const result of ["created", "code-replaced", "refused"]) lines.inc({ result }, 0);
  const stalled = new Gauge({
    name: "tapthru_import_stalled_seconds",
    help: "Time since the last progress of the running import that waits longest; 0 without one",
    registers,
  });
  new Gauge({
    name: "tapthru_imports",
    help: "Stored imports by state",
    labelNames: ["state"],
    registers,
    async collect() {
      const counts = await measured(countImports(db), { metric: "tapthru_imports", logger });
      if (counts === null) return;
      for (const state of ImportState.options) {
        this.set({ state }, counts.find((row) => row.state === state)?.count ?? 0);
      }
      stalled.set(counts.find(({ state }) => state === "running")?.stalledSeconds ?? 0);
    },
  });

  return {
    countLines(results) {
      for (const { refusal, replacement } of results) {
        const created = replacement === null ? "created" : "code-replaced";
        lines.inc({ result: refusal === null ? created : "refused" });
      }
    },
  };
}

const StateCount = z.object({
  state: ImportState,
  count: z.int(),
  stalledSeconds: z.nullable(z.number()),
});

function countImports(
  db: Pick<CommonQueryMethods, "any">,
): Promise<readonly z.infer<typeof StateCount>[]> {
  return db.any(sql.type(StateCount)`
    SELECT state, count(*)::int AS count,
      extract(epoch FROM now() - min(progressed_at))::float AS "stalledSeconds"
    FROM imports GROUP BY state
  `);
}
