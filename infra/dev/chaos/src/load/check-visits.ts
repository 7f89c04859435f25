import { atMost, type CheckResult, none, observed } from "../check-result.ts";
import type { Exchange } from "./exchange.ts";
import { percentileMs } from "./latency.ts";
import { type Visit, visitFailures } from "./visits.ts";

interface Visited {
  visits: readonly Visit[];
  /** Of the same load, before anything was done. */
  before: readonly Exchange[];
  meanwhile: readonly Exchange[];
  /** By which the 99th percentile may be longer than before; null where that is only told. */
  maxRatio: number | null;
}

/** What must hold of visits to links that are known. */
export function checkVisits({ visits, before, meanwhile, maxRatio }: Visited): CheckResult[] {
  const p99 = percentileMs(before, 0.99);
  const p99Now = percentileMs(meanwhile, 0.99);
  return [
    observed("visits", meanwhile.length),
    none("visits failed", visitFailures(visits, meanwhile)),
    observed(
      "99th percentile before, and meanwhile (ms)",
      `${p99.toFixed(1)}, ${p99Now.toFixed(1)}`,
    ),
    ...(maxRatio === null
      ? []
      : [atMost("99th percentile against before", p99Now / p99, maxRatio)]),
  ];
}
