import { describe, expect, it } from "vitest";
import { type DomainTimes, decide, dnsProblem, needsProof } from "./decide-check.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 1_000 * DAY;

const SITE = { host: "links.example", addresses: new Set(["192.0.2.1", "2001:db8::1"]) };
const record = (type: "A" | "AAAA" | "CNAME", value: string) => ({ type, name: "go.example", value });
const HERE = [record("CNAME", "links.example")];

it.each([
  ["no response", null, "dns-unavailable"],
  ["no record", [], "no-record"],
  ["an alias of the site", HERE, null],
  ["an alias of another host", [record("CNAME", "other.example")], "wrong-record"],
  ["an address of the site", [record("A", "192.0.2.1")], null],
  ["both addresses", [record("A", "192.0.2.1"), record("AAAA", "2001:db8::1")], null],
  ["an alias that leads to the site", [record("CNAME", "x.example"), record("A", "192.0.2.1")], null],
  ["also another address", [record("A", "192.0.2.1"), record("AAAA", "2001:db8::2")], "wrong-record"],
  ["an address of Cloudflare", [record("A", "104.16.0.1")], "proxied"],
  ["addresses of Cloudflare", [record("A", "172.67.1.2"), record("A", "188.114.97.3")], "proxied"],
  ["both kinds of Cloudflare's addresses", [record("A", "104.21.5.5"), record("AAAA", "2606:4700:3030::1")], "proxied"],
  ["only IPv6 of Cloudflare", [record("AAAA", "2A06:98C1:3120::3")], "proxied"],
  ["an alias at Cloudflare", [record("CNAME", "go.example.cdn.cloudflare.net"), record("A", "104.16.0.1")], "proxied"],
  ["a shop behind Cloudflare", [record("CNAME", "x.pages.dev"), record("A", "172.66.44.1")], "wrong-record"],
  ["an address of Cloudflare and another", [record("A", "104.16.0.1"), record("A", "192.0.2.9")], "wrong-record"],
  ["an address beside Cloudflare's", [record("A", "104.32.0.1")], "wrong-record"],
] as const)("records: %s: %j is %s", (_title, records, expected) => {
  expect(dnsProblem({ records, site: SITE })).toBe(expected);
});

const address = [record("A", "192.0.2.1")];
it.each([
  ["an alias", "go.anna.com", false, HERE, false],
  ["an alias of a host that another user may have", "go.anna.com", true, HERE, true],
  ["an address of an apex", "anna.com", false, address, false],
  ["an address of another name", "go.anna.com", false, address, true],
  ["an address below a public suffix of a provider", "anna.duckdns.org", false, address, false],
] as const)("proof for %s: %s", (_title, host, isContested, records, expected) => {
  expect(needsProof({ host, isContested }, { records, site: SITE })).toBe(expected);
});

describe("decide", () => {
  const at = (times: Partial<DomainTimes>): DomainTimes => ({
    createdAt: NOW - 90 * DAY,
    verifiedAt: null,
    offAt: null,
    failingSince: null,
    reportedAt: null,
    ...times,
  });
  const verified = { verifiedAt: NOW - 50 * DAY };

  it.each([
    ["a new domain", {}],
    ["one that was turned off", { ...verified, offAt: NOW - DAY }],
  ])("verifies %s whose record is right", (_title, times) => {
    expect(decide(at(times), null, NOW)).toEqual({ action: "verify" });
  });

  it.each([
    [0, 14_000],
    [9 * MINUTE, 14_000],
    [10 * MINUTE, 30_000],
    [HOUR, 3 * MINUTE],
    [DAY, HOUR],
    [29 * DAY, HOUR],
  ])("waits for a domain of age %i ms for %i ms", (age, delayMs) => {
    expect(decide(at({ createdAt: NOW - age }), "no-record", NOW)).toMatchObject({ action: "keep", delayMs });
  });

  it("gives up a domain that was never verified after 30 days", () => {
    expect(decide(at({ createdAt: NOW - 30 * DAY }), "no-record", NOW).action).toBe("delete");
    const off = at({ ...verified, offAt: NOW - 100 * DAY });
    expect(decide(off, "no-record", NOW)).toMatchObject({ action: "keep", delayMs: HOUR });
  });

  it("checks a domain that works every hour", () => {
    const result = { action: "keep", delayMs: HOUR, failingSince: null, report: false };
    expect(decide(at(verified), null, NOW)).toEqual(result);
    expect(decide(at({ ...verified, failingSince: NOW - DAY }), null, NOW)).toEqual(result);
  });

  it.each([
    ["begins to fail", {}, { failingSince: NOW, report: false }],
    ["fails for 30 minutes", { failingSince: NOW - 30 * MINUTE }, { report: true }],
    ["was reported", { failingSince: NOW - DAY, reportedAt: NOW - DAY }, { report: false }],
  ])("keeps a domain that %s and checks it every ten minutes", (_title, times, expected) => {
    expect(decide(at({ ...verified, ...times }), "wrong-record", NOW)).toMatchObject({
      action: "keep",
      delayMs: 10 * MINUTE,
      ...expected,
    });
  });

  it("turns a domain off that fails for seven days", () => {
    const failing = (ms: number) => at({ ...verified, failingSince: NOW - ms, reportedAt: NOW - DAY });
    expect(decide(failing(7 * DAY - 1), "no-record", NOW).action).toBe("keep");
    expect(decide(failing(7 * DAY), "no-record", NOW).action).toBe("turn-off");
  });
});
