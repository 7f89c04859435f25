import { expect, it } from "vitest";
import type { Observation } from "../load/watch.ts";
import { checkExpiry } from "./r13-checks.ts";

const T = 1_000_000;

/** An answer that came two milliseconds after it was asked for. */
function asked(sentAt: number, status: number): Observation {
  const answer = { status, location: null, retryAfter: null, body: "" };
  return { origin: "", sentAt, answeredAt: sentAt + 2, answer };
}

function complaints(...observations: Observation[]): string[] {
  return checkExpiry(observations, T)
    .filter(({ holds }) => !holds)
    .map(({ what }) => what);
}

it("is content with 302 before the end and 410 after it, whichever comes in between", () => {
  expect(complaints(asked(T - 2, 302), asked(T - 1, 410), asked(T, 410))).toEqual([]);
  expect(complaints(asked(T - 1, 302), asked(T, 410))).toEqual([]);
});

it("complains of a link that opens after its end", () => {
  expect(complaints(asked(T + 2, 302), asked(T + 3, 410))).toEqual([
    "302 asked for after the end, by",
  ]);
});

it("complains of a link that is gone before its end", () => {
  expect(complaints(asked(T - 10, 302), asked(T - 4, 410))).toEqual([
    "410 given before the end, by",
  ]);
});

it("complains of other answers, and of nothing seen", () => {
  expect(complaints(asked(T, 503))).toEqual([
    "answers other than 302 and 410",
    "nothing was seen of",
  ]);
});
