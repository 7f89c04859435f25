import type { Exchange } from "./exchange.ts";

/** @param share from 0 to 1, such as 0.99 */
export function percentileMs(
  exchanges: readonly Pick<Exchange, "tookMs">[],
  share: number,
): number {
  const times = exchanges.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
}
