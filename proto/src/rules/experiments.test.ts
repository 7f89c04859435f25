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
function simulate(random: () => number, rate: number, itemsOf: (random: number) => number): ArmCounts {
  let orders = 0;
  for (let visit = 0; visit < VISITS; visit++) if (random() < rate) orders += itemsOf(random());
  return { visits: VISITS, orders };
}

function winnersOf(a: number, b: number, itemsOf = (_: number) => 1) {
  const verdicts = Array.from({ length: 100 }, (_, run) => {
    const random = seeded(run);
    return verdictOf(simulate(random, a, itemsOf), simulate(random, b, itemsOf));
  });
  return (verdict: string) => verdicts.filter((each) => each === verdict).length;
}

const oneToThree = (random: number) => (random < 0.6 ? 1 : random < 0.9 ? 2 : 3);

describe("of 100 simulated experiments with 2,000 visits an arm", () => {
  it.each([
    ["single items", undefined],
    ["one to three items", oneToThree],
  ])(
    "95 find the arm where 20 %% of the visits more order %s, and at most 5 find a winner where there is none",
    (_, itemsOf) => {
      expect(winnersOf(0.6, 0.4, itemsOf)("a")).toBeGreaterThanOrEqual(95);
      expect(winnersOf(0.4, 0.6, itemsOf)("b")).toBeGreaterThanOrEqual(95);
      for (const rate of [0.02, 0.4]) {
        expect(winnersOf(rate, rate, itemsOf)("no-difference")).toBeGreaterThanOrEqual(95);
      }
    },
  );

  it("95 find 9 orders where the other arm has 5 for each 100 visits", () => {
    expect(winnersOf(0.05, 0.09)("b")).toBeGreaterThanOrEqual(95);
  });
});

it("says nothing about few orders, or no visits", () => {
  expect(verdictOf({ visits: 100, orders: 19 }, { visits: 100, orders: 0 })).toBe("unknown");
  expect(verdictOf({ visits: 100, orders: 40 }, { visits: 0, orders: 0 })).toBe("unknown");
  expect(rateOf({ visits: 0, orders: 0 })).toBeNull();
});

it.each([
  [120, [1.2, 1.0036, 1.4348]],
  [0, [0, 0, 0.0384]],
])("the interval of %i orders of 100 visits is %o", (orders, expected) => {
  const { value = 0, low = 0, high = 0 } = rateOf({ visits: 100, orders }) ?? {};
  expect([value, low, high].map((each) => Math.round(each * 10_000) / 10_000)).toEqual(expected);
});
