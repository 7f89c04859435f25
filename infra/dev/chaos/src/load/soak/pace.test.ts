import { expect, it } from "vitest";
import { Pace } from "./pace.ts";

it("has the first operation due at the start, and as many per second as planned", () => {
  const pace = new Pace(1_000);
  expect([0, 1, 2, 50, 100].map((elapsedMs) => pace.tick(elapsedMs))).toEqual([1, 2, 3, 51, 101]);
  expect(pace.dueAtMs(100)).toBe(100);
  expect(pace.pausedMs).toBe(0);
});

it("postpones operations by a pause instead of sending them at once", () => {
  const pace = new Pace(1_000);
  pace.tick(10);
  expect(pace.tick(2_010)).toBe(61);
  expect(pace.pausedMs).toBe(1_950);
  expect(pace.dueAtMs(60)).toBe(2_010);
  expect(pace.tick(2_020)).toBe(71);
});
