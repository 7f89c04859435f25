import { estimateVisitorsByRank } from "@tapthru/proto/clicks/visitor-sketch";

/** @param ranks pairs of a rank and its number of registers */
export function estimateOf(ranks: readonly (readonly [number, number])[]): number {
  const registers: number[] = [];
  for (const [rank, count] of ranks) registers[rank] = count;
  return estimateVisitorsByRank(registers);
}
