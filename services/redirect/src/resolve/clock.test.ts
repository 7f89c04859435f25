import { expect, it, vi } from "vitest";
import { Clock } from "./clock.ts";

const MINUTE_MS = 60_000;

it.each([-2, 2])("is Postgres's, also where this machine's is %d minutes off", (minutes) => {
  const trueNow = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: trueNow + minutes * MINUTE_MS });
  const clock = new Clock();
  const at = performance.now();
  clock.observe(trueNow, at, at + 2);
  expect(clock.now() - trueNow).toBeGreaterThan(-10);
  expect(clock.now() - trueNow).toBeLessThan(5_000);
  expect(Math.round(clock.machineAheadMs / MINUTE_MS)).toBe(minutes);
  vi.useRealTimers();
});

it("does not jump back and forth with answers that came late", () => {
  const clock = new Clock();
  const at = performance.now();
  const trueNow = clock.now();
  const offset = () => clock.now() - performance.now();
  clock.observe(trueNow, at, at);
  const before = offset();
  clock.observe(trueNow + 30, at, at + 300);
  expect(offset()).toBeCloseTo(before, -1);
});
