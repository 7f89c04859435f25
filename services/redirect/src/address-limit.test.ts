import { expect, it } from "vitest";
import { AddressLimiter } from "./address-limit.ts";

const createLimiter = () => new AddressLimiter({ perMinute: 3, maxAddresses: 2 });
const times = (count: number, consume: () => number) => Array.from({ length: count }, consume);

it("allows the limit per minute, then returns the time until the window ends", () => {
  const limiter = createLimiter();
  expect(times(4, () => limiter.consume("203.0.113.1", 1_000))).toEqual([0, 0, 0, 60_000]);
  expect(limiter.consume("203.0.113.1", 60_999)).toBe(1);
  expect(limiter.consume("203.0.113.1", 61_000)).toBe(0);
});

it("counts each address separately, and an IPv6 network as one", () => {
  const limiter = createLimiter();
  times(3, () => limiter.consume("2001:db8:1:2::1", 0));
  expect(limiter.consume("2001:db8:1:2:ffff::9", 0)).toBeGreaterThan(0);
  expect(limiter.consume("2001:db8:1:3::1", 0)).toBe(0);
});

it("does not count what was refunded", () => {
  const limiter = createLimiter();
  for (let i = 0; i < 10; i++) {
    expect(limiter.consume("203.0.113.1", 0)).toBe(0);
    limiter.refund("203.0.113.1");
  }
  limiter.refund("203.0.113.1");
  expect(times(4, () => limiter.consume("203.0.113.1", 0)).at(-1)).toBeGreaterThan(0);
});

it("drops the least recently used of too many addresses", () => {
  const limiter = createLimiter();
  times(3, () => limiter.consume("203.0.113.1", 0));
  for (const address of ["203.0.113.2", "203.0.113.3"]) limiter.consume(address, 0);
  expect(limiter.consume("203.0.113.1", 0)).toBe(0);
});
