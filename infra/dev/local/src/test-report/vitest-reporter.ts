import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";
import { vitestReport } from "./vitest-report.ts";

/** A Vitest reporter that writes a RunnerReport as JSON to the file of `--outputFile`. */
export default class ResultsReporter implements Reporter {
  #file: string | null = null;

  onInit({ config }: Vitest) {
    this.#file = typeof config.outputFile === "string" ? config.outputFile : null;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    if (this.#file === null) throw new Error("Set --outputFile=<file>.");
    writeFileSync(this.#file, JSON.stringify(vitestReport(modules, errors)));
  }
}
