import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { createMetrics } from "@tapthru/runtime/metrics/metrics";

const SOURCES = "{infra/runtime,infra/gateway,services/*}/src/**/*.ts";

/** The services' metrics that a query names, without what a histogram adds to its name. */
export function metricsIn(query: string): string[] {
  const names = query.match(/\b(?:tapthru|nodejs|process)_\w+/g) ?? [];
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ""));
}

/** What a query takes from rules that record it. */
export function recordsIn(query: string): string[] {
  return query.match(/\b[a-z]\w*(?::\w+)+/g) ?? [];
}

/** Those of ours that the services have. */
export function exposedMetrics(): Set<string> {
  const files = globSync(SOURCES, { cwd: CHECKOUT, exclude: (name) => name.endsWith(".test.ts") });
  const names = files.flatMap((file) => {
    const text = readFileSync(join(CHECKOUT, file), "utf8");
    return [...text.matchAll(/(?:name: |gauge\(\s*)"(tapthru_\w+)"/g)].map(([, name = ""]) => name);
  });
  return new Set(names);
}

/** Those that every process of Node has. */
export function processMetrics(): Set<string> {
  return new Set(
    createMetrics()
      .getMetricsAsArray()
      .map(({ name }) => name),
  );
}
