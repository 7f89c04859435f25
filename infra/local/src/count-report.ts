import { brokenOff, type Count, NOTHING, sum } from "./count.ts";
import { playwrightReport } from "./playwright-report.ts";
import { vitestReport } from "./vitest-report.ts";

const REPORTS = { vitest: vitestReport, playwright: playwrightReport };

export type Runner = keyof typeof REPORTS;

/**
 * The figures of a test runner's JSON report. A run that failed as a whole, left no report, or ran
 * nothing counts as one failure where no test failed.
 */
export function countReport(runner: Runner, report: unknown, hasFailed: boolean): Count {
  const { data: count = NOTHING } = REPORTS[runner].safeParse(report);
  const isSuspect = hasFailed || count.passed === 0;
  return isSuspect && count.failed === 0 ? sum([count, brokenOff(runner)]) : count;
}
