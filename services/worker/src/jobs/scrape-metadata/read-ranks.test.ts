import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createReadRanks } from "./read-ranks.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("counts the earlier reads of the same user", () => {
  const rankOf = createReadRanks();
  expect([7, 7, 8, 7, 8].map(rankOf)).toEqual([0, 1, 0, 2, 1]);
});

it("starts again after ten minutes", () => {
  const rankOf = createReadRanks();
  expect([7, 7].map(rankOf)).toEqual([0, 1]);
  vi.advanceTimersByTime(10 * 60_000 - 1);
  expect(rankOf(7)).toBe(2);
  vi.advanceTimersByTime(1);
  expect(rankOf(7)).toBe(0);
});
