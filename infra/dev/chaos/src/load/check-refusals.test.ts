import { expect, it } from "vitest";
import { checkRefusals } from "./check-refusals.ts";

const REFUSAL = { status: 503, location: null, retryAfter: "2", body: "" };

function failedChecks(
  response: typeof REFUSAL | { status: number } | null,
  tookMs = 300,
): string[] {
  const complete = response && { ...REFUSAL, retryAfter: null, ...response };
  return checkRefusals("creates", [{ index: 0, dueAtMs: 0, tookMs, response: complete }], 300)
    .filter(({ passed }) => !passed)
    .map(({ measured }) => measured);
}

it("passes with a 503 with Retry-After", () => {
  expect(failedChecks(REFUSAL)).toEqual([]);
});

it.each([
  ["no response", null],
  ["status 404", { status: 404 }],
  ["503 without Retry-After", { status: 503 }],
])("fails on %s", (what, response) => {
  expect(failedChecks(response)).toEqual([`1: ${what}`]);
});

it("fails on a late refusal", () => {
  expect(failedChecks(REFUSAL, 301)).toEqual(["301 ms"]);
});
