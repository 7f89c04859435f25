import { describe, expect, it } from "vitest";
import { createWaitLimiter } from "./queue-read.ts";

function acquireTimes(limiter: ReturnType<typeof createWaitLimiter>, visitor: string, times: number) {
  return Array.from({ length: times }, () => limiter.acquire(visitor));
}

describe("the wait limiter", () => {
  it("allows five waits per visitor", () => {
    const limiter = createWaitLimiter();
    const slots = acquireTimes(limiter, "a", 6);
    expect(slots.map((slot) => slot !== null)).toEqual([true, true, true, true, true, false]);
    expect(limiter.acquire("b")).not.toBeNull();
  });

  it("allows fifty waits in total", () => {
    const limiter = createWaitLimiter();
    for (let i = 0; i < 10; i++) acquireTimes(limiter, String(i), 5);
    expect(limiter.acquire("another")).toBeNull();
  });

  it("allows another wait after one was released", () => {
    const limiter = createWaitLimiter();
    const [first] = acquireTimes(limiter, "a", 5);
    expect(limiter.acquire("a")).toBeNull();
    first?.release();
    expect(limiter.acquire("a")).not.toBeNull();
  });
});
