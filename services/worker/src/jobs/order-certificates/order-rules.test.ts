import { expect, it } from "vitest";
import { isEnding, orderDelay, renewalTime, suggestedTime } from "./order-rules.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  ["order-refused", false, [5, 20, 60, 60]],
  ["order-refused", true, [5, 20, 80, 320, 720, 720]],
  ["caa-forbids", false, [5, 20, 60]],
  ["authority-unavailable", true, [1, 2, 4, 8, 10, 10]],
  ["order-limit", false, [5, 20, 60]],
] as const)("an order waits after %s, renewal: %s: %j minutes", (problem, isRenewal, minutes) => {
  const delays = minutes.map((_, index) => orderDelay(problem, index + 1, isRenewal) / MINUTE);
  expect(delays).toEqual(minutes);
});

it("a certificate is renewed after two thirds of its life", () => {
  expect(renewalTime({ startMs: 0, endMs: 90 * DAY })).toBe(60 * DAY);
});

it.each([
  [90, 7.1, false],
  [90, 6.9, true],
  [6, 1.1, false],
  [6, 0.9, true],
  [90, -1, true],
])("a certificate of %i days of which %d are left is reported: %s", (days, left, expected) => {
  expect(isEnding({ startMs: 0, endMs: days * DAY }, (days - left) * DAY)).toBe(expected);
});

it("the renewal is at a random time of the window that the authority suggests, and never in the past", () => {
  const window = { startMs: 10 * DAY, endMs: 12 * DAY };
  expect(suggestedTime(window, 0, 0.5)).toBe(11 * DAY);
  expect(suggestedTime(window, 20 * DAY, 0.5)).toBe(20 * DAY);
});
