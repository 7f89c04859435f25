import { expect, it } from "vitest";
import { popularLink } from "./spread.ts";

const CHANCES = Array.from({ length: 100_000 }, (_, step) => step / 100_000);

it("returns only numbers of existing links", () => {
  expect(popularLink(1_000, 0)).toBe(0);
  expect(popularLink(1_000, 1 - Number.EPSILON / 2)).toBe(999);
  expect(popularLink(1, 1 - Number.EPSILON / 2)).toBe(0);
});

it("gives the first of a thousand links a tenth of the visits, more than twice as many as the third", () => {
  const visitsOf = (link: number) =>
    CHANCES.filter((chance) => popularLink(1_000, chance) === link).length / CHANCES.length;
  expect(visitsOf(0)).toBeCloseTo(Math.log(2) / Math.log(1_001), 3);
  expect(visitsOf(0)).toBeGreaterThan(2 * visitsOf(2));
});
