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

export function comparisonTable(lines: readonly Line[]): string {
  return [
    "| | per second | ratio (range) | p50 | p99 | p99.9 | resolved from | refused, lost | memory |",
    "|---|---|---|---|---|---|---|---|---|",
    ...lines.map(row),
  ].join("\n");
}

function row({ label, figures, ratios, sources, residentBytes }: Line): string {
  const { perSecond, p50Ms, p99Ms, p999Ms, refused, lost } = figures;
  const cells = [
    label,
    Math.round(perSecond).toLocaleString("en"),
    ratioRange(ratios),
    ...[p50Ms, p99Ms, p999Ms].map((ms) => `${ms.toFixed(2)} ms`),
    sources,
    refused + lost === 0 ? "" : `${refused.toLocaleString("en")}, ${lost}`,
    `${Math.round(residentBytes / 2 ** 20)} MiB`,
  ];
  return `| ${cells.join(" | ")} |`;
}
