import { expect, it } from "vitest";
import type { Observation } from "../load/watch.ts";
import { checkRounds, type Round, staleMs } from "./r10-checks.ts";

function observation(answeredAt: number, status = 302): Observation {
  const answer = { status, location: null, retryAfter: null, body: "" };
  return { origin: "", sentAt: answeredAt - 2, answeredAt, answer };
}

function round(...observations: Observation[]): Round {
  return {
    doneAt: 1_000,
    observations,
    isOld: ({ answer }) => answer?.status === 302,
    isNew: ({ answer }) => answer?.status === 404,
  };
}

function complaints(...rounds: Round[]): string[] {
  return checkRounds(rounds, { maxMs: 1_000, p99Ms: 150 })
    .filter(({ holds }) => !holds)
    .map(({ what }) => what);
}

it("counts from the api's answer to the last old one", () => {
  expect(staleMs(round(observation(999), observation(1_040), observation(1_060, 404)))).toBe(40);
});

it("is content when nobody is given the old answer any more", () => {
  expect(staleMs(round(observation(999), observation(1_001, 404)))).toBe(0);
  expect(complaints(round(observation(999), observation(1_001, 404)))).toEqual([]);
});

it("complains of old answers for too long", () => {
  expect(complaints(round(observation(2_001), observation(2_002, 404)))).toEqual([
    "last old answer after the api's, at most",
    "99th percentile of these",
  ]);
});

it("complains of answers that are neither, and of changes that nobody saw", () => {
  expect(complaints(round(observation(999, 503)))).toEqual([
    "answers that are neither what was nor what is",
    "changes that nobody came to see",
  ]);
});
