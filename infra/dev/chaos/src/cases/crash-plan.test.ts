import { expect, it } from "vitest";
import { createRandom } from "../random.ts";
import { planCrashes } from "./crash-plan.ts";

const VICTIMS = ["api", "worker", "Postgres"];
const SIZE = { count: 8, withinMs: 10_000 };

it("strikes every victim as often as any other, give or take one", () => {
  const struck = planCrashes(VICTIMS, SIZE, createRandom(7)).map(({ victim }) => victim);

  for (const victim of VICTIMS) {
    expect([2, 3]).toContain(struck.filter((one) => one === victim).length);
  }
});

it("keeps within the time, in order", () => {
  const instants = planCrashes(VICTIMS, SIZE, createRandom(7)).map(({ atMs }) => atMs);

  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
  expect(Math.min(...instants)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...instants)).toBeLessThan(SIZE.withinMs);
});

it("repeats itself with the same seed, and only with that", () => {
  const plan = (seed: number) => planCrashes(VICTIMS, SIZE, createRandom(seed));

  expect(plan(7)).toEqual(plan(7));
  expect(plan(8)).not.toEqual(plan(7));
});
