import { expect, it } from "vitest";
import { createRecentMaximum } from "./recent-maximum.ts";

it("keeps the maximum for one to two periods", () => {
  const maximum = createRecentMaximum(1_000);
  maximum.observe(3, 10_000);
  maximum.observe(7, 10_100);
  maximum.observe(2, 10_200);
  expect(maximum.value(10_900)).toBe(7);
  maximum.observe(1, 11_500);
  expect(maximum.value(11_900)).toBe(7);
  maximum.observe(1, 12_600);
  expect(maximum.value(12_700)).toBe(1);
  expect(maximum.value(20_000)).toBe(0);
});
