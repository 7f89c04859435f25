import { holds, type Report } from "./report.ts";

/** The report as a table of plain text. */
export function terminalTable(report: Report): string {
  const { row, findings, seconds, seed } = report;
  const widest = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.map(({ what, measured, limit, holds }) => {
    const mark = limit === null ? " " : holds ? "✓" : "✗";
    const must = limit === null ? "" : `  (must be ${limit})`;
    return `  ${mark} ${what.padEnd(widest)}  ${measured}${must}`;
  });
  const verdict = holds(report) ? "holds" : "DOES NOT HOLD";
  return [
    `${row.id} ${row.title}: ${verdict} (${Math.round(seconds)} s, seed ${seed})`,
    ...lines,
  ].join("\n");
}
