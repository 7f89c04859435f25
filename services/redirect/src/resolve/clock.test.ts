import { expect, it, onTestFinished, vi } from "vitest";
import { Clock } from "./clock.ts";

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
