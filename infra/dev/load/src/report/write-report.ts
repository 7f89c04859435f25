import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { machineSummary, today } from "@tapthru/local/processes/machine";
import { replaceMarkedText } from "@tapthru/local/replace-marked";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { SUMMARIES } from "../run-k6.ts";
import { SCENARIO_NAMES, type ScenarioName } from "../scenarios.ts";
import { loadTestSection, type Run } from "./load-section.ts";
import { MEASURED_CAPACITY } from "./measured.ts";

interface ReportFiles {
  page: string;
  /** Folder with the summaries of the last runs. */
  summaries: string;
}

const FILES: ReportFiles = { page: join(CHECKOUT, "docs", "benchmarks.md"), summaries: SUMMARIES };

/**
 * Writes the figures of the last runs into docs/benchmarks.md.
 * @throws UserFacingError when figures on the page would be lost; the page is unchanged
 */
export function writeReport({ page, summaries }: ReportFiles = FILES): void {
  const runs = SCENARIO_NAMES.flatMap((scenario): Run[] => {
    const file = join(summaries, `${scenario}.json`);
    if (!existsSync(file)) return [];
    return [{ scenario, summary: JSON.parse(readFileSync(file, "utf8")) }];
  });
  const previous = readFileSync(page, "utf8");
  const text = loadTestSection(`${today()}, ${machineSummary()}.`, runs, MEASURED_CAPACITY);
  const lost = scenariosIn(previous).filter((scenario) => !scenariosIn(text).includes(scenario));
  if (lost.length > 0) {
    throw new UserFacingError(
      `docs/benchmarks.md is unchanged: it has figures of ${lost.join(", ")}, but .data/load has no run of them (pnpm load <name>).`,
    );
  }
  writeFileSync(
    page,
    replaceMarkedText(previous, "pnpm load report", () => text),
  );
}

/** Scenarios with figures in a text. */
function scenariosIn(text: string): ScenarioName[] {
  return SCENARIO_NAMES.filter((scenario) => text.includes(`\n| ${scenario} | `));
}
