/** A test, and its error or the reason why it was skipped. */
export interface TestNote {
  title: string;
  message: string;
}

/** What a part of `pnpm test` came to. */
export interface TestResults {
  /** Includes the flaky tests. */
  passed: number;
  failed: readonly TestNote[];
  /** Tests that failed first and passed in their second try; `message` is the first error. */
  flaky: readonly TestNote[];
  /** `message` is the reason. */
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
 * One failure for a part that broke as a whole.
 * @param listed how many tests it has at least; null where they cannot be listed
 */
export function failedPhase(title: string, cause: string, listed: number | null): TestResults {
  const count = listed === null ? "An unknown number of" : `At least ${listed}`;
  const message = `${cause}\n${count} ${listed === 1 ? "test" : "tests"} did not run.`;
  return { ...NO_RESULTS, failed: [{ title, message }] };
}
