import { expect, it } from "vitest";
import { attemptDelayMs, endOf, readRetryAfter } from "./attempt-times.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const noJitter = () => 0;

it("a delivery has ten attempts within about three days", () => {
  const delays = Array.from({ length: 10 }, (_, index) => attemptDelayMs(index + 1, noJitter));
  expect(delays.slice(0, 4)).toEqual([5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS]);
  expect(delays[8]).toBe(24 * HOUR_MS);
  expect(delays[9]).toBeNull();
});

it("delays vary by 10 %", () => {
  expect(attemptDelayMs(1, () => 1)).toBe(5_500);
});

it("the pause of a failing webhook doubles up to five minutes", () => {
  const pauses = [0, 1, 2, 19].map((failureCount) => {
    const lease = { failureCount, isForPeople: false, quietEnd: null };
    return endOf([{ status: 200, disables: "gone" }], lease, 0).pausedUntil;
  });
  expect(pauses).toEqual([5_000, 10_000, 20_000, 5 * MINUTE_MS]);
});

it.each([
  ["120", 120_000],
  ["Sat, 28 Nov 2026 12:01:00 GMT", MINUTE_MS],
  ["0.5", 500],
  ["Saturday, 28-Nov-26 12:01:00 GMT", MINUTE_MS],
  ["Sat Nov 28 12:01:00 2026 GMT", MINUTE_MS],
  ["86401", 24 * HOUR_MS],
  ["9".repeat(40), 24 * HOUR_MS],
  ...["0", "-5", "soon", "", "Sat, 28 Nov 2026 11:59:00 GMT", "1".repeat(100_000), null].map(
    (text) => [text, null] as const,
  ),
] as const)("Retry-After: %s", (text, waitMs) => {
  expect(readRetryAfter(text, Date.parse("2026-11-28T12:00:00Z"))).toBe(waitMs);
});
