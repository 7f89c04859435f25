import { atLeast, atMost, type CheckResult, none, observed } from "../../check-result.ts";
import type { Exchange } from "../exchange.ts";
import { percentileMs } from "../latency.ts";
import { type Visit, visitFailures } from "./visits.ts";

interface VisitComparison {
  visits: readonly Visit[];
  /** The same load before the fault. */
  before: readonly Exchange[];
  during: readonly Exchange[];
  /** Limit for the 99th percentile, relative to before; null when it is only reported. */
  maxRatio: number | null;
}

/** Checks visits of links that a replica can serve; each link must have been visited. */
export function checkVisits({ visits, before, during, maxRatio }: VisitComparison): CheckResult[] {
  const p99 = percentileMs(before, 0.99);
  const p99Now = percentileMs(during, 0.99);
  return [
    atLeast("visits", during.length, visits.length),
    none("failed visits", visitFailures(visits, during)),
    observed("99th percentile before and during (ms)", `${p99.toFixed(1)}, ${p99Now.toFixed(1)}`),
    ...(maxRatio === null
      ? []
      : [atMost("99th percentile, ratio to before", p99Now / p99, maxRatio)]),
  ];
}
