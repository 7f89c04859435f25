import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchmarksPage } from "@tapthru/bench/report/benchmarks-page";
import { machine, today } from "@tapthru/local/machine";
import { CHECKOUT } from "@tapthru/local/settings";
import { SUMMARIES } from "../run-k6.ts";
import { SCENARIO_NAMES } from "../scenarios.ts";
import { loadChapter, type Run } from "./load-chapter.ts";
import { MEASURED } from "./measured.ts";

const PAGE = join(CHECKOUT, "docs", "benchmarks.md");

/** Writes the chapter of the last runs into docs/benchmarks.md. */
export function writeReport(): void {
  const runs = SCENARIO_NAMES.flatMap((scenario): Run[] => {
    const file = join(SUMMARIES, `${scenario}.json`);
    if (!existsSync(file)) return [];
    return [{ scenario, summary: JSON.parse(readFileSync(file, "utf8")) }];
  });
  const text = loadChapter(`${today()}, ${machine()}.`, runs, MEASURED);
  writeFileSync(PAGE, benchmarksPage(readFileSync(PAGE, "utf8"), { subject: "Under load", text }));
}
