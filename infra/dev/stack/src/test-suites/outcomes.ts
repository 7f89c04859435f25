/** The result of a test, of a check, or of a part of `pnpm test` that could not run. */
export interface Outcome {
  title: string;
  status: "passed" | "failed" | "skipped";
}

export function titlesOf(outcomes: readonly Outcome[], status: Outcome["status"]): string[] {
  return outcomes.filter((outcome) => outcome.status === status).map(({ title }) => title);
}

/** The summary that `pnpm test` prints; the last line has the three totals. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const [failed, skipped] = [titlesOf(outcomes, "failed"), titlesOf(outcomes, "skipped")];
  const passed = outcomes.length - failed.length - skipped.length;
  return [
    ...failed.map((title) => `failed: ${title}`),
    ...skipped.map((title) => `skipped: ${title}`),
    `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`,
  ].join("\n");
}
