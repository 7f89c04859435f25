import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import { type Exchange, unexpectedResponses } from "../load/exchange.ts";
import { percentileMs } from "../load/latency.ts";

export interface OverloadEvidence {
  /** Links a second. */
  maximum: number;
  /** How long the overload lasted. */
  seconds: number;
  /** At half of the maximum. */
  before: readonly Exchange[];
  during: readonly Exchange[];
  /** At half of the maximum again, right after the overload. */
  after: readonly Exchange[];
}

const KEPT = 0.8;
const REFUSED_WITHIN_MS = 100;
const CALM_AFTER_MS = 5_000;
const CALM = 1.5;

/** Links made a second. */
export function goodput(exchanges: readonly Exchange[], seconds: number): number {
  return exchanges.filter(({ answer }) => answer?.status === 201).length / seconds;
}

export function checkOverload(evidence: OverloadEvidence): CheckResult[] {
  const { maximum, seconds, before, during, after } = evidence;
  const made = goodput(during, seconds);
  const refused = during.filter(({ answer }) => answer?.status === 503);
  const calm = after.filter(({ dueAtMs }) => dueAtMs >= CALM_AFTER_MS);
  const p99 = percentileMs(calm, 0.99) / percentileMs(before, 0.99);
  return [
    observed("creates asked for under overload", during.length),
    {
      what: "links made a second meanwhile",
      measured: made.toFixed(0),
      limit: `≥ ${(KEPT * maximum).toFixed(0)}`,
      holds: made >= KEPT * maximum,
    },
    none("answers other than 201 and 503", unexpectedResponses([201, 503], during)),
    observed("refused with 503", refused.length),
    atMost(
      "99th percentile of refusing",
      refused.length === 0 ? 0 : percentileMs(refused, 0.99),
      REFUSED_WITHIN_MS,
      "ms",
    ),
    none("creates that failed later than 5 s after it", unexpectedResponses([201], calm)),
    atMost("99th percentile from then on against before", p99, CALM),
  ];
}
