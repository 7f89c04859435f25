import { expect, it } from "vitest";
import { checkVisits } from "./check-visits.ts";

const VISIT = { shortCode: "abc2345", location: "https://www.amazon.com/dp/B0CX23V2ZK" };

function exchange(tookMs: number, status = 302) {
  const answer = { status, location: VISIT.location, retryAfter: null, body: "" };
  return { index: 0, dueAtMs: 0, tookMs, answer };
}

function complaints(...meanwhile: ReturnType<typeof exchange>[]): string[] {
  return checkVisits({ visits: [VISIT], before: [exchange(4)], meanwhile, maxRatio: 1.5 })
    .filter(({ holds }) => !holds)
    .map(({ what }) => what);
}

it("is content with answers as before, and up to the ratio later", () => {
  expect(complaints(exchange(6))).toEqual([]);
});

it("complains of later answers", () => {
  expect(complaints(exchange(6.1))).toEqual(["99th percentile against before"]);
});

it("only tells of later answers where there is no limit", () => {
  const meanwhile = [exchange(6.1)];
  const findings = checkVisits({
    visits: [VISIT],
    before: [exchange(4)],
    meanwhile,
    maxRatio: null,
  });

  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  expect(findings.map(({ measured }) => measured)).toContain("4.0, 6.1");
});

it("complains of visits that failed", () => {
  expect(complaints(exchange(4), exchange(4, 503))).toEqual(["visits failed"]);
});
