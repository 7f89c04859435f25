import { expect, it } from "vitest";
import { KnownNetworks } from "./known-networks.ts";

function countriesOf(known: KnownNetworks, ...addresses: string[]) {
  return addresses.map((address) => known.countryOf(address));
}

it("knows the country of an IPv4 network's addresses only", () => {
  const known = new KnownNetworks();
  known.add("10.1.200.1", 22, "DE");
  known.add("10.1.7.1", 24, "FR");
  known.add("10.1.9.1", 25, "GB");
  expect(countriesOf(known, "10.1.200.0", "10.1.203.255", "10.1.7.255")).toEqual(["DE", "DE", "FR"]);
  const others = ["10.1.199.255", "10.1.204.0", "10.1.9.1", "0.0.0.0", "255.255.255.255"];
  expect(countriesOf(known, ...others)).toEqual(others.map(() => undefined));
});

it("knows the country of an IPv6 network's addresses only", () => {
  const known = new KnownNetworks();
  known.add("2001:db8:1::1", 32, "DE");
  known.add("2001:db9:1::1", 33, "FR");
  known.add("2002::1", 8, "GB");
  expect(countriesOf(known, "2001:db8:1::1", "2001:db8:ffff::2")).toEqual(["DE", "DE"]);
  const others = ["2001:db9:1::1", "2001:db80::1", "2001:db::8", "2002::1", "::1", "", "text"];
  expect(countriesOf(known, ...others)).toEqual(others.map(() => undefined));
});

it("does not know more than 255 countries", () => {
  const known = new KnownNetworks();
  const addresses = Array.from({ length: 256 }, (_, i) => `10.0.${i}.1`);
  for (const [i, address] of addresses.entries()) known.add(address, 24, `country ${i}`);
  expect(countriesOf(known, ...addresses.slice(-2))).toEqual(["country 254", undefined]);
});
