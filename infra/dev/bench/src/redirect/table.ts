import { ratioRange } from "../median.ts";
import type { Comparison } from "./compare.ts";

/** A line of the table. */
export interface Line extends Comparison {
  label: string;
  /** Shares of the service's responses by source, such as "l1 99 %"; empty for other servers. */
  sources: string;
  /** Resident memory of the service after the trial. */
  residentBytes: number;
}

const HEADINGS = [
  ["", "per second", "CPU time", "ratio of rates (range)", "ratio of CPU times (range)"],
  ["p50", "p99", "resolved from", "refused, lost", "memory"],
].flat();

/** A line that is a text is the label of a server that is not installed. */
export function comparisonTable(lines: readonly (Line | string)[]): string {
  const rows = lines.map((line) =>
    typeof line === "string" ? rowOf([`${line}: not installed`]) : tableRow(line),
  );
  return [rowOf(HEADINGS), `${"|---".repeat(HEADINGS.length)}|`, ...rows].join("\n");
}

/** One row of the table. */
export function tableRow(line: Line): string {
  const { perSecond, p50Ms, p99Ms, refused, lost } = line.figures;
  const cells = [
    line.label,
    Math.round(perSecond).toLocaleString("en"),
    `${line.cpuMicros.toFixed(1)} µs`,
    ratioRange(line.rateRatios),
    ratioRange(line.cpuRatios),
    ...[p50Ms, p99Ms].map((ms) => `${ms.toFixed(2)} ms`),
    line.sources,
    refused + lost === 0 ? "" : `${refused.toLocaleString("en")}, ${lost}`,
    `${Math.round(line.residentBytes / 2 ** 20)} MiB`,
  ];
  return rowOf(cells);
}

function rowOf(cells: readonly string[]): string {
  const all = HEADINGS.map((_, column) => cells[column] ?? "");
  return `| ${all.join(" | ")} |`;
}
