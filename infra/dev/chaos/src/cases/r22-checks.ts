import { atLeast, atMost, type CheckResult, none, observed } from "../check-result.ts";
import { type Exchange, unexpectedResponses } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";

export interface OverloadEvidence {
  /** The maximum rate, in links per second. */
  maximum: number;
  /** Duration of the overload. */
  seconds: number;
  /** Creates at half of the maximum rate, before the overload. */
  before: readonly Exchange[];
  during: readonly Exchange[];
  /** Creates at half of the maximum rate, right after the overload. */
  after: readonly Exchange[];
}

const MIN_GOODPUT_SHARE = 0.8;
const MAX_REFUSAL_MS = 100;
const RECOVERY_MS = 5_000;
const MAX_P99_RATIO = 1.5;

/** Created links per second, counting only responses that arrived within `seconds` of the start of the load. */
export function goodput(exchanges: readonly Exchange[], seconds: number): number {
  const created = exchanges.filter(
    ({ response, dueAtMs, tookMs }) =>
      response?.status === 201 && dueAtMs + tookMs <= seconds * 1_000,
  );
  return created.length / seconds;
}

export function checkOverload(evidence: OverloadEvidence): CheckResult[] {
  const { maximum, seconds, before, during, after } = evidence;
  const created = goodput(during, seconds);
  const refused = during.filter(({ response }) => response?.status === 503);
  const recovered = after.filter(({ dueAtMs }) => dueAtMs >= RECOVERY_MS);
  const p99 = percentileMs(recovered, 0.99) / percentileMs(before, 0.99);
  return [
    observed("creates sent under overload", during.length),
    atLeast(
      "links created per second under overload",
      created,
      Math.round(MIN_GOODPUT_SHARE * maximum),
    ),
    none("responses other than 201 and 503", unexpectedResponses([201, 503], during)),
    // Otherwise the load was not above the maximum.
    atLeast("refused with 503", refused.length, 1),
    atMost(
      "99th percentile of refusals",
      refused.length === 0 ? 0 : percentileMs(refused, 0.99),
      MAX_REFUSAL_MS,
      "ms",
    ),
    none("failed creates later than 5 s after the overload", unexpectedResponses([201], recovered)),
    atMost("99th percentile from then on, ratio to before", p99, MAX_P99_RATIO),
  ];
}
