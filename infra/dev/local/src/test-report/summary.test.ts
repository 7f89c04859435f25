import { describe, expect, it } from "vitest";
import { NO_RESULTS } from "./results.ts";
import { summaryOf } from "./summary.ts";

describe("summaryOf", () => {
  it("is one line if all tests passed", () => {
    expect(summaryOf({ ...NO_RESULTS, passed: 4 })).toBe("4 passed, 0 failed, 0 skipped");
  });

  it("lists failures, skips by reason, and flaky tests, and ends with the totals", () => {
    const summary = summaryOf({
      passed: 4,
      failed: [{ title: "a › divides", message: "by zero" }],
      flaky: [{ title: "a › waits", message: "too late" }],
      skipped: [
        { title: "b › reads", message: "promtool is missing" },
        { title: "c › loads", message: "k6 is missing" },
        { title: "b › writes", message: "promtool is missing" },
      ],
    });
    expect(summary).toBe(`failed: a › divides
by zero

flaky: a › waits
too late

skipped: promtool is missing
  b › reads
  b › writes
skipped: k6 is missing
  c › loads

1 flaky (passed when repeated)
  a › waits

4 passed, 1 failed, 3 skipped`);
  });
});
