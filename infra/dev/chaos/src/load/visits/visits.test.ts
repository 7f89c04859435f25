import { expect, it } from "vitest";
import { visitFailures } from "./visits.ts";

const VISIT = { shortCode: "abc2345", location: "https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20" };
const GOOD = { status: 302, location: VISIT.location, retryAfter: null, body: "" };

function failures(response: typeof GOOD | null, tookMs = 5) {
  return visitFailures([VISIT], [{ index: 0, response, tookMs }]);
}

it("accepts a 302 to the exact URL", () => {
  expect(failures(GOOD)).toEqual([]);
});

it.each([
  ["no response", null],
  ["another status", { ...GOOD, status: 200 }],
  ["a lost tag", { ...GOOD, location: "https://www.amazon.com/dp/B0CX23V2ZK" }],
])("reports %s as a failure", (_what, response) => {
  expect(failures(response)).toHaveLength(1);
});

it("reports a response after more than a second as a failure", () => {
  expect(failures(GOOD, 1_000)).toEqual([]);
  expect(failures(GOOD, 1_001)).toEqual(["abc2345: 1001 ms"]);
});
