import { median } from "../median.ts";
import type { Audit } from "./audit-page.ts";

const milliseconds = (ms: number) => `${Math.round(ms)} ms`;

/** Each page with the medians of its audits. */
export function auditTable(pages: ReadonlyMap<string, readonly Audit[]>): string {
  return [
    "| | score (range) | first paint | largest paint | blocked | layout shift | scripts |",
    "|---|---|---|---|---|---|---|",
    ...Array.from(pages, ([path, audits]) => row(path, audits)),
  ].join("\n");
}

function row(path: string, audits: readonly Audit[]): string {
  const values = (figure: keyof Audit) => audits.map((audit) => audit[figure]);
  const scores = values("score");
  const cells = [
    path,
    `${median(scores)} (${Math.min(...scores)} to ${Math.max(...scores)})`,
    milliseconds(median(values("firstPaintMs"))),
    milliseconds(median(values("largestPaintMs"))),
    milliseconds(median(values("blockingMs"))),
    median(values("shift")).toFixed(3),
    `${(median(values("scriptBytes")) / 1000).toFixed(1)} kB`,
  ];
  return `| ${cells.join(" | ")} |`;
}
