import { expect, it } from "vitest";
import { MAX_REQUESTS_IN_PROGRESS, MIN_REQUESTS_IN_PROGRESS, nextLimit } from "./request-limit.ts";

const CONNECTIONS = 10;

/** How long work waits for a connection if as many requests as may be are in progress. */
const waitMs = (limit: number, createsPerSecond: number) =>
  (Math.max(0, limit - CONNECTIONS) / createsPerSecond) * 1_000;

/** The limits of that many seconds. */
function limitsOf(seconds: number, first: number, waitAt: (limit: number) => number): number[] {
  const limits = [first];
  for (let i = 0; i < 10 * seconds; i++)
    limits.push(nextLimit(limits[i] ?? 0, waitAt(limits[i] ?? 0)));
  return limits;
}

it.each([100, 200, 500, 1_000])(
  "falls until work waits for less than 100 ms at %i creates per second",
  (createsPerSecond) => {
    const limits = limitsOf(60, MAX_REQUESTS_IN_PROGRESS, (limit) =>
      waitMs(limit, createsPerSecond),
    );
    for (const limit of limits.slice(-300)) {
      expect(waitMs(limit, createsPerSecond)).toBeLessThan(100);
      expect(limit).toBeGreaterThan(CONNECTIONS);
    }
  },
);

it("does not fall below the number of requests that keep all connections busy", () => {
  expect(limitsOf(60, MAX_REQUESTS_IN_PROGRESS, () => 500).at(-1)).toBe(MIN_REQUESTS_IN_PROGRESS);
});

it("is at its maximum again 15 seconds after an overload", () => {
  expect(limitsOf(15, MIN_REQUESTS_IN_PROGRESS, () => 0).at(-1)).toBe(MAX_REQUESTS_IN_PROGRESS);
});
