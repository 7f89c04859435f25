import { describe, expect, it } from "vitest";
import { failedPhase, NO_RESULTS, sumResults } from "./results.ts";

const note = (title: string) => ({ title, message: "why" });

describe("sumResults", () => {
  it("adds passed tests and keeps each failed, flaky or skipped test", () => {
    const one = { passed: 1, failed: [note("a")], flaky: [], skipped: [note("b")] };
    const other = { passed: 10, failed: [note("c")], flaky: [note("d")], skipped: [] };
    expect(sumResults([one, other])).toEqual({
      passed: 11,
      failed: [note("a"), note("c")],
      flaky: [note("d")],
      skipped: [note("b")],
    });
  });
});

describe("failedPhase", () => {
  it.each([
    [1_732, "At least 1732 tests did not run."],
    [1, "At least 1 test did not run."],
    [null, "An unknown number of tests did not run."],
  ])(
    "is one failure with its cause and with the number of tests that did not run (%s)",
    (listed, sentence) => {
      const message = `No database.\n${sentence}`;
      expect(failedPhase("Unit tests", "No database.", listed)).toEqual({
        ...NO_RESULTS,
        failed: [{ title: "Unit tests", message }],
      });
    },
  );
});
