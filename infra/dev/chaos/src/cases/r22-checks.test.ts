import { expect, it } from "vitest";
import type { Exchange } from "../load/exchange.ts";
import { checkOverload, type OverloadEvidence } from "./r22-checks.ts";

function exchange(status: number, tookMs: number, dueAtMs = 0): Exchange {
  return {
    index: 0,
    dueAtMs,
    tookMs,
    answer: { status, location: null, retryAfter: null, body: "" },
  };
}

/** Ten links a second were its maximum; for a second thirty were asked for. */
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

function complaints(evidence: Partial<OverloadEvidence>): string[] {
  return checkOverload({ ...GOOD, ...evidence })
    .filter(({ holds }) => !holds)
    .map(({ what }) => what);
}

it("is content when it makes nearly as many, refuses the rest at once, and calms down", () => {
  expect(complaints({})).toEqual([]);
});

it.each<[string, Partial<OverloadEvidence>]>([
  ["links made a second meanwhile", { during: GOOD.during.slice(1) }],
  ["answers other than 201 and 503", { during: [...GOOD.during, exchange(504, 1)] }],
  ["99th percentile of refusing", { during: [...GOOD.during, exchange(503, 101)] }],
  ["creates that failed later than 5 s after it", { after: [exchange(503, 1, 5_000)] }],
  ["99th percentile from then on against before", { after: [exchange(201, 16, 5_000)] }],
])("complains of %s", (what, evidence) => {
  expect(complaints(evidence)).toEqual([what]);
});
