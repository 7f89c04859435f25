import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { Exchange } from "./exchange.ts";
import { percentileMs } from "./latency.ts";

/**
 * What must hold of requests that cannot be served now: a 503 that says when to come back, soon.
 * @param what as "creates"
 */
export function checkRefusals(
  what: string,
  exchanges: readonly Exchange[],
  withinMs: number,
): CheckResult[] {
  const wrong = exchanges.flatMap(({ answer }) => {
    if (answer === null) return "no answer";
    if (answer.status !== 503) return `status ${answer.status}`;
    return answer.retryAfter === null ? "503 without Retry-After" : [];
  });
  return [
    observed(what, exchanges.length),
    none(`${what} not refused with 503 and Retry-After`, wrong),
    atMost(`slowest refusal of ${what}`, percentileMs(exchanges, 1), withinMs, "ms"),
  ];
}
