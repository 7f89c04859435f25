import type { Exchange } from "./exchange.ts";

/** From the beginning of a load until the last of its requests that did not go well was over; 0 when all did. */
export function recoveryMs(
  exchanges: readonly Exchange[],
  isWell: (exchange: Exchange) => boolean,
): number {
  const ends = exchanges.filter((one) => !isWell(one)).map((one) => one.dueAtMs + one.tookMs);
  return Math.max(0, ...ends);
}
