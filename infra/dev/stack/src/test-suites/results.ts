/** The results of a part of `pnpm test`. */
export interface Results {
  /** Number of passed tests. */
  passed: number;
  /** Titles. */
  failed: readonly string[];
  skipped: readonly string[];
}

export const NO_RESULTS: Results = { passed: 0, failed: [], skipped: [] };

export function sumResults(results: readonly Results[]): Results {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.flatMap(({ failed }) => failed),
    skipped: results.flatMap(({ skipped }) => skipped),
  };
}

/** The summary that `pnpm test` prints; the last line has the three totals. */
export function summaryOf({ passed, failed, skipped }: Results): string {
  const titles = [
    ...failed.map((title) => `failed: ${title}`),
    ...skipped.map((title) => `skipped: ${title}`),
  ];
  const totals = `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`;
  return [...titles, totals].join("\n");
}
