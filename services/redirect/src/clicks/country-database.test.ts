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

  it("knows when it was built", () => {
    expect(database.builtAt.getUTCFullYear()).toBeGreaterThanOrEqual(2026);
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
