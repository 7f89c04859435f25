import { expect, it } from "vitest";
import type { Exchange } from "../load/exchange.ts";
import { checkOverload, goodput, type OverloadEvidence } from "./r22-checks.ts";

function exchange(status: number, tookMs: number, dueAtMs = 0): Exchange {
  return {
    index: 0,
    dueAtMs,
    tookMs,
    response: { status, location: null, retryAfter: null, body: "" },
  };
}

/** The maximum is ten links per second; thirty creates were sent within one second. */
const GOOD: OverloadEvidence = {
  maximum: 10,
  seconds: 1,
  before: [exchange(201, 10)],
  during: [
    ...Array.from({ length: 8 }, () => exchange(201, 900)),
    ...Array.from({ length: 22 }, () => exchange(503, 100)),
  ],
  after: [exchange(503, 5_000, 4_999), exchange(201, 15, 5_000)],
};

function failedChecks(evidence: Partial<OverloadEvidence>): string[] {
  return checkOverload({ ...GOOD, ...evidence })
    .filter(({ passed }) => !passed)
    .map(({ label }) => label);
}

it("counts as goodput only links that returned while the load was sent", () => {
  const inTime = [exchange(201, 1_000), exchange(201, 100, 900)];

  expect(goodput([...inTime, exchange(201, 101, 900), exchange(503, 1)], 1)).toBe(2);
});

it("passes when goodput stays high, the rest is refused quickly, and latency recovers", () => {
  expect(failedChecks({})).toEqual([]);
});

it.each<[string, Partial<OverloadEvidence>]>([
  ["links created per second under overload", { during: GOOD.during.slice(1) }],
  ["responses other than 201 and 503", { during: [...GOOD.during, exchange(504, 1)] }],
  ["refused with 503", { during: Array.from({ length: 30 }, () => exchange(201, 900)) }],
  ["99th percentile of refusals", { during: [...GOOD.during, exchange(503, 101)] }],
  ["failed creates later than 5 s after the overload", { after: [exchange(503, 1, 5_000)] }],
  ["99th percentile from then on, ratio to before", { after: [exchange(201, 16, 5_000)] }],
])("fails on %s", (label, evidence) => {
  expect(failedChecks(evidence)).toEqual([label]);
});
