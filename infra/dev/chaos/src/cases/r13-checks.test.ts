import { expect, it } from "vitest";
import type { Observation } from "../load/watch.ts";
import { checkExpiry } from "./r13-checks.ts";

const T = 1_000_000;

/** A response received two milliseconds after its request. */
function observation(sentAt: number, status: number): Observation {
  const response = { status, location: null, retryAfter: null, body: "" };
  return { origin: "", sentAt, receivedAt: sentAt + 2, response };
}

function failedChecks(...observations: Observation[]): string[] {
  return checkExpiry(observations, T)
    .filter(({ passed }) => !passed)
    .map(({ label }) => label);
}

it("accepts 302 before the expiry, 410 after it, and both within the accuracy", () => {
  expect(
    failedChecks(observation(T - 2, 302), observation(T - 1, 410), observation(T, 410)),
  ).toEqual([]);
  expect(failedChecks(observation(T - 1, 302), observation(T, 410))).toEqual([]);
});

it("fails on a link that redirects after its expiry", () => {
  expect(failedChecks(observation(T + 2, 302), observation(T + 3, 410))).toEqual([
    "latest 302 requested after the expiry",
  ]);
});

it("fails on a link that returns 410 before its expiry", () => {
  expect(failedChecks(observation(T - 10, 302), observation(T - 4, 410))).toEqual([
    "earliest 410 returned before the expiry",
  ]);
});

it("fails on other responses and on missing observations", () => {
  expect(failedChecks(observation(T, 503))).toEqual([
    "responses other than 302 and 410",
    "missing observations",
  ]);
});
