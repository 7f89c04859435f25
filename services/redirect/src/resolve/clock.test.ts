import { expect, it, onTestFinished, vi } from "vitest";
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
  const at = 1_000;
  const now = vi.spyOn(performance, "now").mockReturnValue(at);
  onTestFinished(() => now.mockRestore());
  const clock = new Clock();
  const trueNow = clock.now();
  clock.observe(trueNow, at, at);
  clock.observe(trueNow + 30, at, at + 300);
  expect(clock.now()).toBe(trueNow);
});
