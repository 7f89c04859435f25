import { describe, expect, it } from "vitest";
import { UserFacingError } from "../user-facing-error.ts";
import { NO_RESULTS } from "./results.ts";
import { type RunnerReport, runResults } from "./runner-report.ts";

const passingReport: RunnerReport = { passed: 5, failed: [], flaky: [], skipped: [], errors: [] };
const emptyReport: RunnerReport = { ...passingReport, passed: 0 };
const failed = [{ title: "divides", message: "by zero" }];
const errorOutsideTests = (message: string) => [{ title: "outside of the tests", message }];

describe("runResults", () => {
  it("returns the runner's report", () => {
    const exit = { hasFailed: false, errorOutput: "" };
    expect(runResults(passingReport, exit)).toEqual({ ...NO_RESULTS, passed: 5 });
  });

  it("adds no failure if tests failed", () => {
    const exit = { hasFailed: true, errorOutput: "Error: by zero" };
    expect(runResults({ ...passingReport, failed }, exit)).toEqual({
      ...NO_RESULTS,
      passed: 5,
      failed,
    });
  });

  it("adds errors outside of the tests to the failed tests", () => {
    const exit = { hasFailed: true, errorOutput: "" };
    const report = { ...passingReport, failed, errors: ["a leak"] };
    expect(runResults(report, exit).failed).toEqual([...failed, ...errorOutsideTests("a leak")]);
  });

  it("counts a run that failed without a failed test as a failure, with its output", () => {
    const exit = { hasFailed: true, errorOutput: "Error: out of memory" };
    expect(runResults(passingReport, exit).failed).toEqual(errorOutsideTests("out of memory"));
  });

  it.each([
    ["left no report", null, { hasFailed: true, errorOutput: "Error: no config" }, "no config"],
    ["ran nothing", emptyReport, { hasFailed: false, errorOutput: "" }, "No test was found."],
    [
      "failed before the first test",
      { ...emptyReport, errors: ["Projects differ.\nMake them alike."] },
      { hasFailed: true, errorOutput: "" },
      "Projects differ.",
    ],
  ])("throws the cause if the run %s", (_case, report, exit, cause) => {
    expect(() => runResults(report, exit)).toThrow(new UserFacingError(cause));
  });
});
