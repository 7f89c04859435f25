/** A test with its error, or with the reason for the skip. */
export interface TestNote {
  title: string;
  message: string;
}

/** The results of a phase of `pnpm test`. */
export interface TestResults {
  /** Number of passed tests, including flaky ones. */
  passed: number;
  failed: readonly TestNote[];
  /** Tests that failed first and passed when repeated; `message` is the first error. */
  flaky: readonly TestNote[];
  /** Skipped tests; `message` is the reason. */
  skipped: readonly TestNote[];
}

export const NO_RESULTS: TestResults = { passed: 0, failed: [], flaky: [], skipped: [] };

export function sumResults(results: readonly TestResults[]): TestResults {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.flatMap(({ failed }) => failed),
    flaky: results.flatMap(({ flaky }) => flaky),
    skipped: results.flatMap(({ skipped }) => skipped),
  };
}

/**
 * One failure for a phase that threw.
 * @param listed the minimum number of its tests; null if they cannot be listed
 */
export function failedPhase(title: string, cause: string, listed: number | null): TestResults {
  const count = listed === null ? "An unknown number of" : `At least ${listed}`;
  const message = `${cause}\n${count} ${listed === 1 ? "test" : "tests"} did not run.`;
  return { ...NO_RESULTS, failed: [{ title, message }] };
}
