import { expect, it } from "vitest";
import { KnownNetworks, networkOf } from "./known-networks.ts";

it.each([
  ["0.0.0.0", 0],
  ["0.1.2.3", 0x00_01_02],
  ["203.0.113.77", 0xcb_00_71],
  ["255.255.255.255", 0xff_ff_ff],
  ["256.1.1.1", null],
  ["1.2.3", null],
  ["2001:db8::1", null],
  ["::ffff:203.0.113.77", null],
  ["", null],
])("the network of %j is %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it("knows the country of a network's addresses only", () => {
  const known = new KnownNetworks();
  const countryOf = (address: string) => known.countryOf(networkOf(address));
  known.add(networkOf("10.1.200.1") ?? 0, 22, "DE");
  known.add(networkOf("10.1.7.1") ?? 0, 24, "FR");

  const addresses = [
    "10.1.200.0",
    "10.1.203.255",
    "10.1.7.255",
    "10.1.199.255",
    "10.1.204.0",
    "::1",
  ];

  expect(addresses.map(countryOf)).toEqual(["DE", "DE", "FR", undefined, undefined, undefined]);
});

it("does not know networks with several countries, nor more than 255 countries", () => {
  const known = new KnownNetworks();
  known.add(1, 25, "DE");
  for (let country = 0; country < 300; country++) known.add(1_000 + country, 24, `${country}`);

  expect(known.countryOf(1)).toBeUndefined();
  expect([1_254, 1_255].map((network) => known.countryOf(network))).toEqual(["254", undefined]);
});
