import { expect, it } from "vitest";
import { pauseAfter, refreshAfter } from "./pauses.ts";

const RANDOM = [0, 0.5, 0.999];

it("grows with each attempt, whatever the jitter", () => {
  for (let attempts = 2; attempts <= 7; attempts++) {
    const before = pauseAfter(attempts - 1, 0.999);
    expect(pauseAfter(attempts, 0)).toBeGreaterThan(Number(before));
  }
});

it("is about a minute at first", () => {
  expect(RANDOM.map((random) => pauseAfter(1, random))).toEqual([45_000, 60_000, 74_970]);
});

it("ends after eight attempts", () => {
  expect([7, 8, 9].map((attempts) => pauseAfter(attempts, 0) === null)).toEqual([
    false,
    true,
    true,
  ]);
});

it("lets nothing that was read grow older than it stays fresh", () => {
  expect(RANDOM.map((random) => refreshAfter(1_000, random))).toEqual([1_000, 900, 800]);
});
