import { describe, expect, it } from "vitest";
import { playwrightReport, type ReportedTest } from "./playwright-reporter.ts";

interface Spec {
  status: ReturnType<ReportedTest["outcome"]>;
  expectedStatus?: ReportedTest["expectedStatus"];
  annotations?: ReportedTest["annotations"];
  messages?: (string | undefined)[];
}

function spec(
  title: string,
  { status, expectedStatus, annotations, messages }: Spec,
): ReportedTest {
  return {
    titlePath: () => ["", "desktop", "a.spec.ts", "a list", title],
    outcome: () => status,
    expectedStatus: expectedStatus ?? "passed",
    annotations: annotations ?? [],
    results: (messages ?? []).map((message) => (message ? { error: { message } } : {})),
  };
}

const reportOf = (...specs: ReportedTest[]) => playwrightReport(specs, []);

const title = (name: string) => `[desktop] a.spec.ts › a list › ${name}`;

describe("playwrightReport", () => {
  it("counts passed tests, and names failed and flaky ones with their first error", () => {
    const report = reportOf(
      spec("scrolls", { status: "expected" }),
      spec("loads", { status: "flaky", messages: ["too late", undefined] }),
      spec("sorts", { status: "unexpected", messages: ["unsorted", "unsorted still"] }),
    );
    expect(report).toEqual({
      passed: 2,
      failed: [{ title: title("sorts"), message: "unsorted" }],
      flaky: [{ title: title("loads"), message: "too late" }],
      skipped: [],
      errors: [],
    });
  });

  it.each<[string, ReportedTest["annotations"], ReportedTest["expectedStatus"], string]>([
    ["its reason", [{ type: "skip", description: "no WebKit" }], "skipped", "no WebKit"],
    ["that it has no reason", [{ type: "skip" }], "skipped", "no reason given"],
    ["that other tests failed", [], "passed", "did not run, because other tests failed"],
  ])("reports for a skipped test %s", (_case, annotations, expectedStatus, message) => {
    const report = reportOf(spec("sorts", { status: "skipped", annotations, expectedStatus }));
    expect(report.skipped).toEqual([{ title: title("sorts"), message }]);
  });

  it("reports one failure for all tests whose browser did not start", () => {
    const launch = "Error: browserType.launch: Executable doesn't exist\nBrowser logs: …";
    const report = reportOf(
      spec("loads", { status: "unexpected", messages: [launch, launch] }),
      spec("sorts", { status: "unexpected", messages: ["unsorted"] }),
      spec("scrolls", { status: "unexpected", messages: [launch] }),
    );
    expect(report.failed).toEqual([
      {
        title: "browser",
        message:
          "browserType.launch: Executable doesn't exist\nNumber of tests that did not run: 2.",
      },
      { title: title("sorts"), message: "unsorted" },
    ]);
  });

  it("returns errors outside of the tests", () => {
    const report = playwrightReport([], ["No tests found"]);
    expect(report.errors).toEqual(["No tests found"]);
  });
});
