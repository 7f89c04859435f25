import { expect, it } from "vitest";
import { createRandom } from "../random.ts";
import { planCrashes } from "./crash-plan.ts";

const TARGETS = ["api", "worker", "Postgres"];
const SIZE = { count: 8, durationMs: 10_000 };

it("chooses all targets equally often, with a difference of one at most", () => {
  const chosen = planCrashes(TARGETS, SIZE, createRandom(7)).map(({ target }) => target);

  for (const target of TARGETS) {
    expect([2, 3]).toContain(chosen.filter((one) => one === target).length);
  }
});

it("returns sorted instants within the duration", () => {
  const instants = planCrashes(TARGETS, SIZE, createRandom(7)).map(({ atMs }) => atMs);

  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
  expect(Math.min(...instants)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...instants)).toBeLessThan(SIZE.durationMs);
});

it("returns the same plan for the same seed only", () => {
  const plan = (seed: number) => planCrashes(TARGETS, SIZE, createRandom(seed));

  expect(plan(7)).toEqual(plan(7));
  expect(plan(8)).not.toEqual(plan(7));
});
