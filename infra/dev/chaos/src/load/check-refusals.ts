import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { Exchange } from "./exchange.ts";
import { percentileMs } from "./latency.ts";

/**
 * Checks that requests that cannot be served get a 503 with Retry-After within the limit.
 * @param what such as "creates"
 */
export function checkRefusals(
  what: string,
  exchanges: readonly Exchange[],
  limitMs: number,
): CheckResult[] {
  const wrong = exchanges.flatMap(({ response }) => {
    if (response === null) return "no response";
    if (response.status !== 503) return `status ${response.status}`;
    return response.retryAfter === null ? "503 without Retry-After" : [];
  });
  return [
    observed(what, exchanges.length),
    none(`${what} not refused with 503 and Retry-After`, wrong),
    atMost(`slowest refusal of ${what}`, percentileMs(exchanges, 1), limitMs, "ms"),
  ];
}
