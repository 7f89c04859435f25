import { median, ratioRange } from "../median.ts";
import type { PaintMetrics } from "./load-page.ts";

/** One visit of each page by its name; the other pages are compared with the first. */
export type Round = ReadonlyMap<string, PaintMetrics>;

export function comparisonTable(rounds: readonly Round[]): string {
  const [peer = "", ...others] = rounds[0]?.keys() ?? [];
  return [
    "| | largest paint | ratio (range) | main thread blocked | layout shift |",
    "|---|---|---|---|---|",
    ...[peer, ...others].map((page) => row(page, peer, rounds)),
  ].join("\n");
}

function row(page: string, peer: string, rounds: readonly Round[]): string {
  const values = (name: string, figure: keyof PaintMetrics) =>
    rounds.map((round) => round.get(name)?.[figure] ?? Number.NaN);
  const peers = values(peer, "largestMs");
  const ratios = values(page, "largestMs").map((ms, round) => ms / (peers[round] ?? Number.NaN));
  const cells = [
    page,
    `${Math.round(median(values(page, "largestMs")))} ms`,
    page === peer ? "" : ratioRange(ratios),
    `${Math.round(median(values(page, "blockingMs")))} ms`,
    median(values(page, "shift")).toFixed(3),
  ];
  return `| ${cells.join(" | ")} |`;
}
