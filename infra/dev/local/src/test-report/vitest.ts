import { join } from "node:path";
import { execa } from "execa";
import * as z from "zod/mini";
import { CHECKOUT } from "../stack/settings.ts";
import type { TestResults } from "./results.ts";
import { type RunnerOptions, readReport, startRunner } from "./run-runner.ts";
import { readRun, runnerReportSchema } from "./runner-report.ts";

const REPORTER = join(import.meta.dirname, "vitest-reporter.ts");

/** @throws UserFacingError with the cause if no test ran */
export async function runVitest(
  { args = [], env, reportFile }: RunnerOptions,
  interruption: AbortSignal,
): Promise<TestResults> {
  const exit = await startRunner(
    [
      "vitest",
      "run",
      "--retry=1",
      "--reporter=default",
      `--reporter=${REPORTER}`,
      `--outputFile=${reportFile}`,
      ...args,
    ],
    { cwd: CHECKOUT, env },
    interruption,
  );
  return readRun(readReport(reportFile, runnerReportSchema), exit);
}

/**
 * The number of tests that Vitest finds in the files; an `it.each` counts once.
 * @returns null if Vitest cannot list them
 */
export async function countVitestTests(args: readonly string[] = []): Promise<number | null> {
  const { failed, stdout } = await execa("vitest", ["list", "--json", ...args], {
    cwd: CHECKOUT,
    preferLocal: true,
    localDir: CHECKOUT,
    stdin: "ignore",
    reject: false,
  });
  return failed ? null : z.parse(z.array(z.unknown()), JSON.parse(stdout)).length;
}
