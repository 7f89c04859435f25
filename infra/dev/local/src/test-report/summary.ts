import type { TestNote, TestResults } from "./results.ts";

/** The summary that `pnpm test` prints; the last line has the three totals. */
export function summaryOf({ passed, failed, flaky, skipped }: TestResults): string {
  const flakyLine = `${flaky.length} flaky (passed when repeated)`;
  const blocks = [
    ...failed.map((note) => `failed: ${note.title}\n${note.message}`),
    ...flaky.map((note) => `flaky: ${note.title}\n${note.message}`),
    ...(skipped.length > 0 ? [skippedList(skipped)] : []),
    ...(flaky.length > 0
      ? [[flakyLine, ...flaky.map(({ title }) => `  ${title}`)].join("\n")]
      : []),
    `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`,
  ];
  return blocks.join("\n\n");
}

/** One line for each test, grouped by reason. */
function skippedList(skipped: readonly TestNote[]): string {
  const byReason = Map.groupBy(skipped, ({ message }) => message);
  return [...byReason]
    .flatMap(([reason, notes]) => [`skipped: ${reason}`, ...notes.map(({ title }) => `  ${title}`)])
    .join("\n");
}
