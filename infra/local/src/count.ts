import * as z from "zod/mini";

export interface Count {
  passed: number;
  failed: number;
}

const vitest = z.pipe(
  z.object({ numPassedTests: z.number(), numFailedTests: z.number() }),
  z.transform((report) => ({ passed: report.numPassedTests, failed: report.numFailedTests })),
);

const playwright = z.pipe(
  z.object({
    stats: z.object({ expected: z.number(), flaky: z.number(), unexpected: z.number() }),
  }),
  z.transform(({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected })),
);

const REPORTS = { vitest, playwright };

export type Runner = keyof typeof REPORTS;

/**
 * The figures of a test runner's JSON report. A run that failed as a whole, left no report, or ran
 * nothing counts as one failure where no test failed.
 */
export function countReport(runner: Runner, report: unknown, hasFailed: boolean): Count {
  const { data = { passed: 0, failed: 0 } } = REPORTS[runner].safeParse(report);
  const isSuspect = hasFailed || data.passed === 0;
  return isSuspect && data.failed === 0 ? { ...data, failed: 1 } : data;
}

export function sum(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
  };
}
