import { expect, it } from "vitest";
import { orderDelay, renewalTime } from "./order-rules.ts";

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
