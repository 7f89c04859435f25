import type { Exchange } from "./exchange.ts";

/** From the start of a load until the end of its last failed request; 0 when none failed. */
export function recoveryMs(
  exchanges: readonly Exchange[],
  isSuccess: (exchange: Exchange) => boolean,
): number {
  const ends = exchanges.filter((one) => !isSuccess(one)).map((one) => one.dueAtMs + one.tookMs);
  return Math.max(0, ...ends);
}
