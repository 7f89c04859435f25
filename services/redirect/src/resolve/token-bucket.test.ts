import * as fc from "fast-check";
import { expect, it } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

it("lets a burst through, and then as many as come back", () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 3 });
  const takeAt = (now: number) => bucket.take(now);
  expect([1_000, 1_000, 1_000, 1_000].map(takeAt)).toEqual([true, true, true, false]);
  expect([1_099, 1_100, 1_100].map(takeAt)).toEqual([false, true, false]);
  expect([9_000, 9_000, 9_000, 9_000].map(takeAt)).toEqual([true, true, true, false]);
});

it("never lets more through within a second than both together", () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 50, maxLength: 400 });
  fc.assert(
    fc.property(pauses, (between) => {
      const bucket = new TokenBucket({ perSecond: 40, burst: 10 });
      let now = 0;
      const letThrough: number[] = [];
      for (const pause of between) {
        now += pause;
        if (bucket.take(now)) letThrough.push(now);
      }
      for (const since of letThrough) {
        const within = letThrough.filter((at) => at >= since && at < since + 1_000);
        expect(within.length).toBeLessThanOrEqual(50);
      }
    }),
  );
});
