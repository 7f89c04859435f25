import { expect, test } from "vitest";
import { isOneLetterAway } from "./unknown-tag.tsx";

test.each([
  ["anna-21", "anan-21", true],
  ["anna-21", "anna-20", true],
  ["anna-21", "ana-21", true],
  ["anna-21", "annna-21", true],
  ["anna-21", "anna-2", true],
  ["anna-21", "anna-21", false],
  ["anna-21", "anna-12x", false],
  ["anna-21", "bob-21", false],
  ["anna-21", "nanna-12", false],
  ["aa", "aaaa", false],
])("%s and %s are one letter apart: %s", (one, other, isAway) => {
  expect([isOneLetterAway(one, other), isOneLetterAway(other, one)]).toEqual([isAway, isAway]);
});
