import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import { CHECKOUT } from "@tapthru/stack/stack/settings";

const SOURCES = "{infra/gateway,services/*}/src/**/*.ts";

/** The metrics in a query, without the suffixes of histograms. */
export function metricsIn(query: string): string[] {
  const names = query.match(/\b(?:tapthru|nodejs|process)_\w+/g) ?? [];
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ""));
}

export function recordedSeriesIn(query: string): string[] {
  return query.match(/\b[a-z]\w*(?::\w+)+/g) ?? [];
}

/** Metrics that infra/compose/backup.sh writes into a file. */
const BACKUP_METRICS = ["tapthru_backup_last_success_timestamp_seconds", "tapthru_backup_size_bytes"];

export function exposedMetrics(): Set<string> {
  const files = globSync(SOURCES, { cwd: CHECKOUT, exclude: (name) => name.endsWith(".test.ts") });
  const names = files.flatMap((file) => {
    const text = readFileSync(join(CHECKOUT, file), "utf8");
    return [...text.matchAll(/(?:name: |gauge\(\s*)"(tapthru_\w+)"/g)].map(([, name = ""]) => name);
  });
  return new Set([...names, ...BACKUP_METRICS]);
}

export function processMetrics(): Set<string> {
  return new Set(
    createMetrics()
      .getMetricsAsArray()
      .map(({ name }) => name),
  );
}
