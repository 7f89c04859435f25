import { describe, expect, it } from "vitest";
import { createWaitLimiter } from "./wait-limiter.ts";

function enterTimes(room: ReturnType<typeof createWaitLimiter>, visitor: string, times: number) {
  return Array.from({ length: times }, () => room.enter(visitor));
}

describe("the waiting room", () => {
  it("has five places for a visitor", () => {
    const room = createWaitLimiter();
    const places = enterTimes(room, "a", 6);
    expect(places.map((place) => place !== null)).toEqual([true, true, true, true, true, false]);
    expect(room.enter("b")).not.toBeNull();
  });

  it("has fifty places in all", () => {
    const room = createWaitLimiter();
    for (let i = 0; i < 10; i++) enterTimes(room, String(i), 5);
    expect(room.enter("another")).toBeNull();
  });

  it("gives a place again that was left", () => {
    const room = createWaitLimiter();
    const [first] = enterTimes(room, "a", 5);
    expect(room.enter("a")).toBeNull();
    first?.leave();
    expect(room.enter("a")).not.toBeNull();
  });
});
