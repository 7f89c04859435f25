import { describe, expect, it } from "vitest";
import { domainReply } from "./domain-reply.ts";
import type { CountedDomainRow } from "./queries.ts";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const DAY_MS = 86_400_000;
const site = { host: "t.example", addresses: { A: ["203.0.113.7"], AAAA: ["2001:db8::7"] } };

const PENDING: CountedDomainRow = {
  id: 1,
  host: "go.anna.com",
  proof: "secret",
  isDefault: false,
  hsts: false,
  createdAt: NOW,
  verifiedAt: null,
  offAt: null,
  problem: null,
  seen: null,
  checkedAt: null,
  failingSince: null,
  certificateExpiresAt: null,
  certificateProblem: null,
  linkCount: 0,
  rootUrl: null,
};
const VERIFIED = { ...PENDING, verifiedAt: NOW };
const WORKS = { ...VERIFIED, certificateExpiresAt: NOW + DAY_MS };
const reply = (changes: Partial<CountedDomainRow>) => domainReply({ ...PENDING, ...changes }, site, NOW);

describe("the state of a domain", () => {
  it.each([
    ["is not verified", { problem: "no-record" }, ["waiting", "no-record"]],
    [
      "is not verified, while another user has its certificate",
      { certificateExpiresAt: NOW + DAY_MS, certificateProblem: "order-limit" },
      ["waiting", null],
    ],
    ["has no certificate yet", VERIFIED, ["ordering", null]],
    ["gets no certificate", { ...VERIFIED, certificateProblem: "caa-forbids" }, ["ordering", "caa-forbids"]],
    ["has a certificate", WORKS, ["works", null]],
    [
      "fails its checks",
      { ...WORKS, failingSince: NOW - DAY_MS, problem: "wrong-record" },
      ["failing", "wrong-record"],
    ],
    ["has an expired certificate", { ...WORKS, certificateExpiresAt: NOW }, ["failing", null]],
    ["failed for a week", { ...WORKS, offAt: NOW, failingSince: NOW - 8 * DAY_MS }, ["off", null]],
  ] as const)("which %s", (_title, changes, expected) => {
    const { state, problem } = reply(changes);
    expect([state, problem]).toEqual(expected);
  });

  it("says when a failing domain is turned off", () => {
    expect(reply({ ...WORKS, failingSince: NOW - DAY_MS }).offAt).toBe("2026-12-01T12:00:00.000Z");
    expect(reply(WORKS).offAt).toBeNull();
  });
});

describe("the records of a domain", () => {
  const cname = { type: "CNAME", name: "go.anna.com", value: "t.example" };
  it("are one CNAME to the site's host", () => {
    expect(reply({}).records).toEqual([cname]);
  });

  it("are the site's addresses where no CNAME is allowed, if they are known", () => {
    expect(reply({ host: "anna.com" }).records).toEqual([
      { type: "A", name: "anna.com", value: "203.0.113.7" },
      { type: "AAAA", name: "anna.com", value: "2001:db8::7" },
    ]);
    const unknown = { ...site, addresses: { A: [], AAAA: [] } };
    expect(domainReply({ ...PENDING, host: "anna.com" }, unknown, NOW).records).toEqual([
      { type: "CNAME", name: "anna.com", value: "t.example" },
    ]);
  });

  it("have the proof only if another user has or had the domain", () => {
    expect(reply({ problem: "proof-missing" }).records).toEqual([
      cname,
      { type: "TXT", name: "_tapthru.go.anna.com", value: "secret" },
    ]);
  });
});

it("shows no destination that does not lead to Amazon", () => {
  expect(reply({ rootUrl: "https://evil.example" }).rootUrl).toBeNull();
});
