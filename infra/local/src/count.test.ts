import { describe, expect, it } from "vitest";
import { countReport, sum } from "./count.ts";

const vitest = (numPassedTests: number, numFailedTests: number) => ({
  numPassedTests,
  numFailedTests,
});
const playwright = (expected: number, flaky: number, unexpected: number) => ({
  stats: { expected, flaky, unexpected, skipped: 0 },
});

describe("countReport", () => {
  it.each([
    ["vitest", vitest(5, 0), false, { passed: 5, failed: 0 }],
    ["vitest", vitest(5, 2), true, { passed: 5, failed: 2 }],
    ["playwright", playwright(3, 1, 0), false, { passed: 4, failed: 0 }],
    ["playwright", playwright(3, 0, 2), true, { passed: 3, failed: 2 }],
  ] as const)("reads the figures of %s", (runner, report, hasFailed, count) => {
    expect(countReport(runner, report, hasFailed)).toEqual(count);
  });

  it.each([
    ["left no report", null, true, { passed: 0, failed: 1 }],
    ["ran nothing", vitest(0, 0), false, { passed: 0, failed: 1 }],
    ["failed outside of its tests", vitest(5, 0), true, { passed: 5, failed: 1 }],
  ])("counts one failure for a run that %s", (_case, report, hasFailed, count) => {
    expect(countReport("vitest", report, hasFailed)).toEqual(count);
  });
});

describe("sum", () => {
  it("adds passed and failed apart", () => {
    const counts = [
      { passed: 1, failed: 2 },
      { passed: 10, failed: 20 },
    ];
    expect(sum(counts)).toEqual({ passed: 11, failed: 22 });
  });
});
