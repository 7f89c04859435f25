import { expect, it } from "vitest";
import { checkRefusals } from "./check-refusals.ts";

const REFUSAL = { status: 503, location: null, retryAfter: "2", body: "" };

function complaints(answer: typeof REFUSAL | { status: number } | null, tookMs = 300): string[] {
  const whole = answer && { ...REFUSAL, retryAfter: null, ...answer };
  return checkRefusals("creates", [{ index: 0, dueAtMs: 0, tookMs, answer: whole }], 300)
    .filter(({ holds }) => !holds)
    .map(({ measured }) => measured);
}

it("is content with a 503 that says when to come back", () => {
  expect(complaints(REFUSAL)).toEqual([]);
});

it.each([
  ["no answer", null],
  ["status 404", { status: 404 }],
  ["503 without Retry-After", { status: 503 }],
])("complains of %s", (what, answer) => {
  expect(complaints(answer)).toEqual([`1: ${what}`]);
});

it("complains of a refusal that comes late", () => {
  expect(complaints(REFUSAL, 301)).toEqual(["301 ms"]);
});
