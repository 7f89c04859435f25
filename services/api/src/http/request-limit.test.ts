import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { POSTGRES_LIMITS } from "../context.ts";
import { createRequestLimit, MIN_REQUESTS_IN_PROGRESS, nextLimit } from "./request-limit.ts";

/** How long work waits for a connection if as many requests as may be are in progress. */
const waitMs = (limit: number, createsPerSecond: number) =>
  (Math.max(0, limit - POSTGRES_LIMITS.maxConnections) / createsPerSecond) * 1_000;

/** The limits of that many seconds. */
function limitsOf(seconds: number, first: number, waitAt: (limit: number) => number): number[] {
  const limits = [first];
  for (let i = 0; i < 10 * seconds; i++) limits.push(nextLimit(limits[i] ?? 0, waitAt(limits[i] ?? 0)));
  return limits;
}

describe("the next limit", () => {
  it.each([100, 200, 500, 1_000])(
    "falls until work waits for less than 100 ms at %i creates per second",
    (createsPerSecond) => {
      const waitAt = (limit: number) => waitMs(limit, createsPerSecond);
      const limits = limitsOf(60, MAX_REQUESTS_IN_PROGRESS, waitAt);
      for (const limit of limits.slice(-300)) expect(waitAt(limit)).toBeLessThan(100);
    },
  );

  it("never falls to a number that leaves connections unused", () => {
    expect(limitsOf(60, MAX_REQUESTS_IN_PROGRESS, () => 500).at(-1)).toBe(MIN_REQUESTS_IN_PROGRESS);
    expect(MIN_REQUESTS_IN_PROGRESS).toBeGreaterThan(POSTGRES_LIMITS.maxConnections);
  });

  it("is at its maximum again 12 seconds after an overload", () => {
    expect(limitsOf(12, MIN_REQUESTS_IN_PROGRESS, () => 0).at(-1)).toBe(MAX_REQUESTS_IN_PROGRESS);
  });
});

it("changes every 100 ms until it is stopped", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let shortestWaitMs = 200;
  const limit = createRequestLimit({ takeShortestWait: () => shortestWaitMs });
  await limit.start?.();
  expect(limit.current).toBe(MAX_REQUESTS_IN_PROGRESS);
  vi.advanceTimersByTime(200);
  expect(limit.current).toBe(81);
  shortestWaitMs = 0;
  vi.advanceTimersByTime(300);
  expect(limit.current).toBe(84);
  await limit.stop?.();
  vi.advanceTimersByTime(1_000);
  expect(limit.current).toBe(84);
});
