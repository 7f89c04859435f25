import { expect, it } from "vitest";
import { checkVisits } from "./check-visits.ts";

const VISIT = { shortCode: "abc2345", location: "https://www.amazon.com/dp/B0CX23V2ZK" };

function exchange(tookMs: number, status = 302) {
  const response = { status, location: VISIT.location, retryAfter: null, body: "" };
  return { index: 0, dueAtMs: 0, tookMs, response };
}

function failedChecks(...during: ReturnType<typeof exchange>[]): string[] {
  return checkVisits({ visits: [VISIT], before: [exchange(4)], during, maxRatio: 1.5 })
    .filter(({ passed }) => !passed)
    .map(({ label }) => label);
}

it("passes with responses within the latency ratio", () => {
  expect(failedChecks(exchange(6))).toEqual([]);
});

it("fails on slower responses", () => {
  expect(failedChecks(exchange(6.1))).toEqual(["99th percentile, ratio to before"]);
});

it("only reports slower responses without a limit", () => {
  const during = [exchange(6.1)];
  const results = checkVisits({
    visits: [VISIT],
    before: [exchange(4)],
    during,
    maxRatio: null,
  });

  expect(results.filter(({ passed }) => !passed)).toEqual([]);
  expect(results.map(({ measured }) => measured)).toContain("4.0, 6.1");
});

it("fails when not every link was visited", () => {
  const results = checkVisits({
    visits: [VISIT],
    before: [exchange(4)],
    during: [],
    maxRatio: null,
  });

  expect(results.filter(({ passed }) => !passed).map(({ label }) => label)).toEqual(["visits"]);
});

it("fails on failed visits", () => {
  expect(failedChecks(exchange(4), exchange(4, 503))).toEqual(["failed visits"]);
});
