import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { expect, it } from "vitest";
import { logBootWarnings } from "./boot-warnings.ts";

const QUIET = {
  addressesLoggedUntilMs: null,
  countryHeader: null,
  trustedProxies: [],
};
function loggedFor(settings: object) {
  const { logger, lines } = createTestLogger();
  logBootWarnings({ ...QUIET, ...settings }, logger);
  return lines;
}

it("has none by default", () => {
  expect(loggedFor({})).toEqual([]);
});

it("warns that client addresses are logged until a time in the future", () => {
  const untilMs = Date.now() + 60_000;
  expect(loggedFor({ addressesLoggedUntilMs: untilMs })).toMatchObject([
    { event: "client_addresses_logged", until: new Date(untilMs).toISOString() },
  ]);
  expect(loggedFor({ addressesLoggedUntilMs: Date.now() })).toEqual([]);
});

it("warns that the country header of no proxy is trusted", () => {
  const countryHeader = "cf-ipcountry";
  expect(loggedFor({ countryHeader })).toMatchObject([{ event: "country_header_ignored" }]);
  expect(loggedFor({ countryHeader, trustedProxies: ["10.0.0.0/8"] })).toEqual([]);
});
