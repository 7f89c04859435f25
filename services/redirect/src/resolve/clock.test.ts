import { expect, it, onTestFinished, vi } from "vitest";
import { Clock } from "./clock.ts";

const MINUTE_MS = 60_000;

it.each([-2, 2])("follows Postgres's clock if this machine's is %d minutes off", (minutes) => {
  const postgresNow = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: postgresNow + minutes * MINUTE_MS });
  const clock = new Clock();
  const at = performance.now();
  clock.observe(postgresNow, at, at + 2);
  expect(clock.now() - postgresNow).toBeGreaterThan(-10);
  expect(clock.now() - postgresNow).toBeLessThan(5_000);
  expect(Math.round(clock.machineAheadMs / MINUTE_MS)).toBe(minutes);
  vi.useRealTimers();
});

it("does not change after a slow response with a consistent time", () => {
  const at = 1_000;
  const now = vi.spyOn(performance, "now").mockReturnValue(at);
  onTestFinished(() => now.mockRestore());
  const clock = new Clock();
  const postgresNow = clock.now();
  clock.observe(postgresNow, at, at);
  clock.observe(postgresNow + 30, at, at + 300);
  expect(clock.now()).toBe(postgresNow);
});
