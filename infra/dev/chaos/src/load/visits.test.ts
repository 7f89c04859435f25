import { expect, it } from "vitest";
import { visitFailures } from "./visits.ts";

const VISIT = { shortCode: "abc2345", location: "https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20" };
const GOOD = { status: 302, location: VISIT.location, retryAfter: null, body: "" };

function failures(answer: typeof GOOD | null, tookMs = 5) {
  return visitFailures([VISIT], [{ index: 0, answer, tookMs }]);
}

it("takes a 302 to the exact address for good", () => {
  expect(failures(GOOD)).toEqual([]);
});

it.each([
  ["no answer", null],
  ["another status", { ...GOOD, status: 200 }],
  ["a lost tag", { ...GOOD, location: "https://www.amazon.com/dp/B0CX23V2ZK" }],
])("takes %s for a failure", (_what, answer) => {
  expect(failures(answer)).toHaveLength(1);
});

it("takes an answer after more than a second for a failure", () => {
  expect(failures(GOOD, 1_000)).toEqual([]);
  expect(failures(GOOD, 1_001)).toEqual(["abc2345: 1001 ms"]);
});
