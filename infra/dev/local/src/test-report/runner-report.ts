import * as z from "zod/mini";
import { UserFacingError } from "../user-facing-error.ts";
import { causeIn, causeOf } from "./error-text.ts";
import { NO_RESULTS, sumResults, type TestResults } from "./results.ts";

const notes = z.array(z.object({ title: z.string(), message: z.string() }));

/** What a test runner reports. */
export const runnerReportSchema = z.object({
  passed: z.number(),
  failed: notes,
  flaky: notes,
  skipped: notes,
  /** Those outside of any test file, such as of the configuration. */
  errors: z.array(z.string()),
});

export type RunnerReport = z.infer<typeof runnerReportSchema>;

/** How the runner's process ended. */
export interface RunnerExit {
  hasFailed: boolean;
  /** What it wrote to stderr. */
  errorOutput: string;
}

/**
 * @param report null where the runner wrote none
 * @throws PlainError with the cause where no test ran
 */
export function readRun(report: RunnerReport | null, exit: RunnerExit): TestResults {
  const { errors, ...results } = report ?? { ...NO_RESULTS, errors: [] };
  const isUnexplained = exit.hasFailed && errors.length + results.failed.length === 0;
  const causes = isUnexplained ? [causeIn(exit.errorOutput)] : errors;
  if (results.passed + results.failed.length + results.skipped.length === 0) {
    throw new UserFacingError(causeOf(causes[0] ?? "No test was found."));
  }
  const failed = causes.map((message) => ({ title: "outside of the tests", message }));
  return sumResults([results, { ...NO_RESULTS, failed }]);
}
