import { expect, it } from "vitest";
import { areFalling, unusualPeople } from "./check-figures.ts";

it.each([
  ["twice as many as usual", 200, [100, 100, 100, 100], 100],
  ["none instead of many", 0, [100, 90, 110, 100], 100],
  ["many in a link's second week", 60, [0], 0],
  ["less than twice as many", 199, [100, 100, 100, 100], null],
  ["more than half", 51, [100, 100, 100, 100], null],
  ["fewer than 50 people", 49, [0, 0, 0, 0], null],
  ["a link that is younger than a week", 500, [], null],
  ["a link whose people vary as much", 400, [400, 0, 300, 10], null],
  ["the hour after a single peak", 0, [0, 400, 0, 0], null],
] as const)("%s: %d people after %j, usually %s", (_case, people, earlier, usual) => {
  expect(unusualPeople(people, earlier)).toBe(usual);
});

it.each([
  [{ earnings: 50, usualEarnings: 100, shipped: 40 }, true],
  [{ earnings: 51, usualEarnings: 100, shipped: 40 }, false],
  [{ earnings: 0, usualEarnings: 100, shipped: 39 }, false],
  [{ earnings: 0, usualEarnings: 0, shipped: 40 }, false],
])("earnings of %j are falling: %s", (figures, expected) => {
  expect(areFalling(figures)).toBe(expected);
});
