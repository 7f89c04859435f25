import { expect, it } from "vitest";
import { bootWarnings } from "./boot-warnings.ts";

const NOW = Date.parse("2026-11-21T12:00Z");
const QUIET = {
  addressesLoggedUntilMs: null,
  countryHeader: null,
  discovery: { nameServers: ["127.0.0.11"], inUpstreams: true },
  trustedProxies: [],
};
const eventsOf = (settings: object) =>
  bootWarnings({ ...QUIET, ...settings }, NOW).map(({ event }) => event);

it("has none by default", () => {
  expect(eventsOf({})).toEqual([]);
  expect(eventsOf({ discovery: null })).toEqual([]);
});

it("warns that client addresses are logged until a time in the future", () => {
  expect(bootWarnings({ ...QUIET, addressesLoggedUntilMs: NOW + 1_000 }, NOW)).toMatchObject([
    { event: "client_addresses_logged", until: "2026-11-21T12:00:01.000Z" },
  ]);
  expect(eventsOf({ addressesLoggedUntilMs: NOW })).toEqual([]);
});

it("warns that an nginx before 1.27.3 has no limit of requests per replica", () => {
  const discovery = { nameServers: ["127.0.0.11"], inUpstreams: false };
  expect(bootWarnings({ ...QUIET, discovery }, NOW)).toEqual([
    {
      event: "replicas_not_limited",
      message: expect.stringContaining("this nginx has no limit of requests per replica"),
    },
  ]);
});

it("warns that the country header of no proxy is trusted", () => {
  const countryHeader = "cf-ipcountry";
  expect(eventsOf({ countryHeader })).toEqual(["country_header_ignored"]);
  expect(eventsOf({ countryHeader, trustedProxies: ["10.0.0.0/8"] })).toEqual([]);
});
