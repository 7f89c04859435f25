import { expect, it } from "vitest";
import { postponementDelay, refreshDelay, retryDelay } from "./delays.ts";

const RANDOM = [0, 0.5, 0.999];

it("grows with each attempt, with any jitter", () => {
  for (let attempts = 2; attempts <= 8; attempts++) {
    const before = retryDelay(attempts - 1, 0.999);
    expect(retryDelay(attempts, 0)).toBeGreaterThan(before);
  }
});

it("is about a minute at first", () => {
  expect(RANDOM.map((random) => retryDelay(1, random))).toEqual([45_000, 60_000, 74_970]);
});

it("is a month from the eighth attempt on", () => {
  const months = [8, 9, Number.POSITIVE_INFINITY].map((attempts) => retryDelay(attempts, 0.5));
  expect(months).toEqual(Array(3).fill(30 * 86_400_000));
});

it("adds jitter to postponed pages, and retries none of them early", () => {
  expect(RANDOM.map((random) => postponementDelay(1_000, random))).toEqual([1_000, 31_000, 60_940]);
});

it("refreshes metadata before it is stale", () => {
  expect(RANDOM.map((random) => refreshDelay(1_000, random))).toEqual([1_000, 900, 800]);
});
