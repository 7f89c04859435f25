import { expect, it } from "vitest";
import type { Observation } from "../load/watch.ts";
import { checkRounds, type Round, staleMs } from "./r10-checks.ts";

function observation(receivedAt: number, status = 302): Observation {
  const response = { status, location: null, retryAfter: null, body: "" };
  return { origin: "", sentAt: receivedAt - 2, receivedAt, response };
}

function round(...observations: Observation[]): Round {
  return {
    doneAt: 1_000,
    observations,
    isOld: ({ response }) => response?.status === 302,
    isNew: ({ response }) => response?.status === 404,
  };
}

function failedChecks(...rounds: Round[]): string[] {
  return checkRounds(rounds, { maxMs: 1_000, p99Ms: 150 })
    .filter(({ passed }) => !passed)
    .map(({ label }) => label);
}

it("measures from the api's response to the last stale response", () => {
  expect(staleMs(round(observation(999), observation(1_040), observation(1_060, 404)))).toBe(40);
});

it("passes when no response is stale", () => {
  expect(staleMs(round(observation(999), observation(1_001, 404)))).toBe(0);
  expect(failedChecks(round(observation(999), observation(1_001, 404)))).toEqual([]);
});

it("fails on stale responses after the limit", () => {
  expect(failedChecks(round(observation(2_001), observation(2_002, 404)))).toEqual([
    "latest stale response after the api's response",
    "99th percentile of stale responses",
  ]);
});

it("fails on responses that match neither state, and on changes that never became visible", () => {
  expect(failedChecks(round(observation(999, 503)))).toEqual([
    "responses that match neither the old nor the new state",
    "changes that never became visible",
  ]);
});
