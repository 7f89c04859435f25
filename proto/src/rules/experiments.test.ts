import { describe, expect, it } from "vitest";
import { type ArmCounts, rateOf, verdictOf } from "./experiments.ts";

/** Mulberry32: the same numbers in each run. */
function seeded(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const VISITS = 2_000;

/** @param itemsOf how many items a visit orders that orders */
function simulate(random: () => number, rate: number, isShare: boolean, itemsOf = (_: number) => 1): ArmCounts {
  let events = 0;
  for (let visit = 0; visit < VISITS; visit++) if (random() < rate) events += itemsOf(random());
  return { visits: VISITS, events, isShare };
}

function winnersOf(a: number, b: number, isShare: boolean, itemsOf?: (random: number) => number) {
  const verdicts = Array.from({ length: 100 }, (_, run) => {
    const random = seeded(run);
    return verdictOf(simulate(random, a, isShare, itemsOf), simulate(random, b, isShare, itemsOf));
  });
  return (verdict: string) => verdicts.filter((each) => each === verdict).length;
}

const oneToThree = (random: number) => (random < 0.6 ? 1 : random < 0.9 ? 2 : 3);

describe("of 100 simulated experiments with 2,000 visits an arm", () => {
  it.each([
    ["openings", true, undefined],
    ["orders", false, undefined],
    ["orders of one to three items", false, oneToThree],
  ])("95 find the arm with 20 %% more %s, and at most 5 find a winner where there is none", (_, isShare, itemsOf) => {
    expect(winnersOf(0.6, 0.4, isShare, itemsOf)("a")).toBeGreaterThanOrEqual(95);
    expect(winnersOf(0.4, 0.6, isShare, itemsOf)("b")).toBeGreaterThanOrEqual(95);
    for (const rate of [0.02, 0.4]) {
      expect(winnersOf(rate, rate, isShare, itemsOf)("no-difference")).toBeGreaterThanOrEqual(95);
    }
  });

  it("95 find 9 orders where the other arm has 5 for each 100 visits", () => {
    expect(winnersOf(0.05, 0.09, false)("b")).toBeGreaterThanOrEqual(95);
  });
});

it("says nothing about few events, or none", () => {
  const none = { visits: 0, events: 0, isShare: false };
  expect(verdictOf({ visits: 100, events: 19, isShare: false }, { ...none, visits: 100 })).toBe("unknown");
  expect(verdictOf({ visits: 100, events: 40, isShare: false }, none)).toBe("unknown");
  expect(rateOf(none)).toBeNull();
});

it.each([
  // Wilson's interval: R, prop.test(x, n, correct = FALSE)
  [{ visits: 100, events: 10, isShare: true }, [0.1, 0.0552, 0.1744]],
  [{ visits: 100, events: 0, isShare: true }, [0, 0, 0.037]],
  [{ visits: 100, events: 120, isShare: true }, [1, 0.963, 1]],
  [{ visits: 100, events: 120, isShare: false }, [1.2, 1.0036, 1.4348]],
])("the interval of %o is %o", (counts, expected) => {
  const { value = 0, low = 0, high = 0 } = rateOf(counts) ?? {};
  expect([value, low, high].map((each) => Math.round(each * 10_000) / 10_000)).toEqual(expected);
});
