import { expect, it } from "vitest";
import { checkClicks } from "./r29-checks.ts";

const VISITS = ["aaa2345", "bbb2345"].map((shortCode) => ({ shortCode, location: "" }));
const FOUND = { status: 302, location: "", retryAfter: null, body: "" };

/** The labels of failed checks after two visits of the first link and one of the second. */
function failures(counted: [number, number], last: { status: number } | null = FOUND): string[] {
  const response = last === null ? null : { ...FOUND, ...last };
  return checkClicks({
    visits: VISITS,
    exchanges: [
      { index: 0, response: FOUND },
      { index: 1, response: FOUND },
      { index: 0, response },
    ],
    before: new Map([["aaa2345", { person: 5 }]]),
    after: new Map([
      ["aaa2345", { person: 5 + counted[0] }],
      ["bbb2345", { person: counted[1], bot: 3 }],
    ]),
  }).flatMap(({ label, passed }) => (passed ? [] : [label]));
}

it("passes if each served visit was counted once", () => {
  expect(failures([2, 1])).toEqual([]);
});

it("fails if a click of one link was lost and one of another counted twice", () => {
  expect(failures([1, 2])).toEqual([
    "links that lost clicks",
    "links with more clicks than visits",
  ]);
});

it("fails if a visit that was refused was counted", () => {
  expect(failures([2, 1], { status: 503 })).toEqual(["links with more clicks than visits"]);
  expect(failures([1, 1], { status: 503 })).toEqual([]);
});

it("accepts both for a visit without a response", () => {
  expect(failures([1, 1], null)).toEqual([]);
  expect(failures([2, 1], null)).toEqual([]);
  expect(failures([3, 1], null)).toEqual(["links with more clicks than visits"]);
});
