import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/local/settings";

const SOURCES = "{infra/runtime,services/*}/src/**/*.ts";

/** The metrics of ours that a query names, without what a histogram adds to its name. */
export function metricsIn(query: string): string[] {
  const names = query.match(/\btapthru_\w+/g) ?? [];
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ""));
}

/** Those that the services have. */
export function exposedMetrics(): Set<string> {
  const files = globSync(SOURCES, { cwd: CHECKOUT, exclude: (name) => name.endsWith(".test.ts") });
  const names = files.flatMap((file) => {
    const text = readFileSync(join(CHECKOUT, file), "utf8");
    return [...text.matchAll(/(?:name: |gauge\(\s*)"(tapthru_\w+)"/g)].map(([, name = ""]) => name);
  });
  return new Set(names);
}
