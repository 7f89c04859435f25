import { existsSync, readFileSync } from "node:fs";
import * as z from "zod/mini";
import { UserFacingError } from "../user-facing-error.ts";
import { causeOf, firstError } from "./error-text.ts";
import { NO_RESULTS, sumResults, type TestResults } from "./results.ts";

const notes = z.array(z.object({ title: z.string(), message: z.string() }));

/** The report of a test runner. */
const runnerReport = z.object({
  passed: z.number(),
  failed: notes,
  flaky: notes,
  skipped: notes,
  /** Errors outside of the tests, such as of the configuration. */
  errors: z.array(z.string()),
});

export type RunnerReport = z.infer<typeof runnerReport>;

/** Null if the runner wrote no report. */
export function readReport(file: string): RunnerReport | null {
  return existsSync(file) ? runnerReport.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
}

/** The exit of the runner's process. */
export interface RunnerExit {
  hasFailed: boolean;
  /** What the process wrote to stderr. */
  errorOutput: string;
}

/**
 * @param report null if the runner wrote none
 * @throws UserFacingError with the cause if no test ran
 */
export function runResults(report: RunnerReport | null, exit: RunnerExit): TestResults {
  const { errors, ...results } = report ?? { ...NO_RESULTS, errors: [] };
  const isUnexplained = exit.hasFailed && errors.length + results.failed.length === 0;
  const causes = isUnexplained ? [firstError(exit.errorOutput)] : errors;
  if (results.passed + results.failed.length + results.skipped.length === 0) {
    throw new UserFacingError(causeOf(causes[0] ?? "No test was found."));
  }
  const failed = causes.map((message) => ({ title: "outside of the tests", message }));
  return sumResults([results, { ...NO_RESULTS, failed }]);
}
