import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { brokenOff, type Count, sum } from "./count.ts";
import { countReport } from "./count-report.ts";
import { CHECKOUT } from "./settings.ts";

const passing = (title: string) => ({ fullName: title, status: "passed", failureMessages: [] });

const vitest = (numPassedTests: number, numFailedTests: number, assertionResults: unknown[]) => ({
  numPassedTests,
  numFailedTests,
  testResults: [{ name: join(CHECKOUT, "a.test.ts"), message: "", assertionResults }],
});

const playwright = {
  stats: { expected: 3, flaky: 1, unexpected: 1, skipped: 0 },
  suites: [
    {
      title: "a.spec.ts",
      specs: [],
      suites: [
        {
          title: "a list",
          specs: [
            spec("scrolls", "expected", undefined),
            spec("loads", "flaky", "too late"),
            spec("sorts", "unexpected", "unsorted"),
          ],
        },
      ],
    },
  ],
};

function spec(title: string, status: string, message: string | undefined) {
  const error = message === undefined ? undefined : { message };
  return { title, tests: [{ projectName: "desktop", status, results: [{ error }] }] };
}

describe("countReport", () => {
  it("reads a run of vitest that passed", () => {
    const report = vitest(1, 0, [passing("adds")]);
    expect(countReport("vitest", report, false)).toEqual({ passed: 1, failed: 0, mishaps: [] });
  });

  it("tells by name what failed in vitest, and what failed in its first try only", () => {
    const report = vitest(2, 1, [
      passing("adds"),
      {
        fullName: "divides",
        status: "failed",
        failureMessages: [
          "by zero\n    at divide (divide.ts:1:2)\n    at run (node_modules/vitest/run.js:3:4)",
        ],
      },
      { fullName: "waits", status: "passed", failureMessages: ["too late"] },
    ]);
    expect(countReport("vitest", report, true)).toEqual({
      passed: 2,
      failed: 1,
      mishaps: [
        {
          title: "a.test.ts › divides",
          message: "by zero\n    at divide (divide.ts:1:2)",
          isFlaky: false,
        },
        { title: "a.test.ts › waits", message: "too late", isFlaky: true },
      ],
    });
  });

  it("counts and names a file of vitest that could not be run beside tests that failed", () => {
    const failing = { fullName: "divides", status: "failed", failureMessages: ["by zero"] };
    const { testResults, ...figures } = vitest(5, 1, [failing]);
    const broken = { name: join(CHECKOUT, "b.test.ts"), message: "No b", assertionResults: [] };
    const report = { ...figures, testResults: [...testResults, broken] };
    expect(countReport("vitest", report, true)).toEqual({
      passed: 5,
      failed: 2,
      mishaps: [
        { title: "a.test.ts › divides", message: "by zero", isFlaky: false },
        { title: "b.test.ts", message: "No b", isFlaky: false },
      ],
    });
  });

  it("tells by name what failed in Playwright, and what failed in its first try only", () => {
    expect(countReport("playwright", playwright, true)).toEqual({
      passed: 4,
      failed: 1,
      mishaps: [
        { title: "[desktop] a list › loads", message: "too late", isFlaky: true },
        { title: "[desktop] a list › sorts", message: "unsorted", isFlaky: false },
      ],
    });
  });

  it.each([
    ["left no report", null, true, 0],
    ["ran nothing", vitest(0, 0, []), false, 0],
    ["failed outside of its tests", vitest(5, 0, [passing("adds")]), true, 5],
  ])("counts one failure for a run that %s", (_case, report, hasFailed, passed) => {
    const count = countReport("vitest", report, hasFailed);
    expect(count).toEqual({ ...brokenOff("vitest"), passed });
  });
});

describe("sum", () => {
  it("adds passed and failed apart, and keeps each mishap", () => {
    const mishap = { title: "adds", message: "3", isFlaky: false };
    const counts: Count[] = [
      { passed: 1, failed: 2, mishaps: [mishap] },
      { passed: 10, failed: 20, mishaps: [] },
    ];
    expect(sum(counts)).toEqual({ passed: 11, failed: 22, mishaps: [mishap] });
  });
});
