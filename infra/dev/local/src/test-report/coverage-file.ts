import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "../stack/settings.ts";
import { coverageByPackage, coverageSummary, coverageTable } from "./coverage.ts";

/** Must equal the directory in vitest.config.ts. */
export const COVERAGE_DIR = join(CHECKOUT, ".data", "coverage");

/** Vitest's coverage as a table. */
export function renderCoverageTable(): string {
  const file = join(COVERAGE_DIR, "coverage-summary.json");
  if (!existsSync(file)) return "Vitest measured no coverage.";
  const summary = coverageSummary.parse(JSON.parse(readFileSync(file, "utf8")));
  return coverageTable(coverageByPackage(summary, CHECKOUT));
}
