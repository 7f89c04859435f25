import { expect, it } from "vitest";
import { AddressLimiter } from "./address-limit.ts";

const limit = () => new AddressLimiter({ perMinute: 3, maxAddresses: 2 });
const times = (count: number, take: () => number) => Array.from({ length: count }, take);

it("lets so many a minute through, and says when there will be more", () => {
  const addresses = limit();
  expect(times(4, () => addresses.take("203.0.113.1", 1_000))).toEqual([0, 0, 0, 60_000]);
  expect(addresses.take("203.0.113.1", 60_999)).toBe(1);
  expect(addresses.take("203.0.113.1", 61_000)).toBe(0);
});

it("counts each address by itself, and an IPv6 network as one", () => {
  const addresses = limit();
  times(3, () => addresses.take("2001:db8:1:2::1", 0));
  expect(addresses.take("2001:db8:1:2:ffff::9", 0)).toBeGreaterThan(0);
  expect(addresses.take("2001:db8:1:3::1", 0)).toBe(0);
});

it("does not count what was given back", () => {
  const addresses = limit();
  for (let i = 0; i < 10; i++) {
    expect(addresses.take("203.0.113.1", 0)).toBe(0);
    addresses.giveBack("203.0.113.1");
  }
  addresses.giveBack("203.0.113.1");
  expect(times(4, () => addresses.take("203.0.113.1", 0)).at(-1)).toBeGreaterThan(0);
});

it("forgets the oldest of too many addresses", () => {
  const addresses = limit();
  times(3, () => addresses.take("203.0.113.1", 0));
  for (const address of ["203.0.113.2", "203.0.113.3"]) addresses.take(address, 0);
  expect(addresses.take("203.0.113.1", 0)).toBe(0);
});
