import { writeFileSync } from "node:fs";
import type { FullConfig, Reporter, Suite, TestCase, TestError } from "@playwright/test/reporter";
import { causeOf } from "./error-text.ts";
import type { TestNote } from "./results.ts";
import type { RunnerReport } from "./runner-report.ts";

/** A Playwright reporter that writes a RunnerReport as JSON to the file of REPORT_FILE. */
export default class ResultsReporter implements Reporter {
  #suite: Suite | null = null;
  readonly #errors: string[] = [];

  onBegin(_config: FullConfig, suite: Suite) {
    this.#suite = suite;
  }

  onError({ message = "" }: TestError) {
    this.#errors.push(message);
  }

  onEnd() {
    const { REPORT_FILE } = process.env;
    if (REPORT_FILE === undefined) throw new Error("Set REPORT_FILE.");
    const report = playwrightReport(this.#suite?.allTests() ?? [], this.#errors);
    writeFileSync(REPORT_FILE, JSON.stringify(report));
  }

  printsToStdio() {
    return false;
  }
}

/** The fields of a Playwright test that the report uses. */
export type ReportedTest = Pick<TestCase, "expectedStatus" | "outcome" | "titlePath"> & {
  annotations: readonly { type: string; description?: string }[];
  results: readonly { error?: TestError }[];
};

/** @param errors errors outside of the tests, such as of the configuration */
export function playwrightReport(
  tests: readonly ReportedTest[],
  errors: readonly string[],
): RunnerReport {
  const notes = (outcome: ReturnType<TestCase["outcome"]>) =>
    tests.filter((test) => test.outcome() === outcome).map(noteOf);
  const flaky = notes("flaky");
  return {
    passed: notes("expected").length + flaky.length,
    failed: mergeLaunchFailures(notes("unexpected")),
    flaky,
    skipped: notes("skipped"),
    errors: [...errors],
  };
}

function noteOf(test: ReportedTest): TestNote {
  const [, project = "", ...path] = test.titlePath();
  const firstError = test.results.flatMap(({ error }) => error?.message ?? [])[0] ?? "";
  return {
    title: `[${project}] ${path.join(" › ")}`,
    message: test.outcome() === "skipped" ? skipReason(test) : firstError,
  };
}

/** Playwright also marks tests as skipped that did not run because others failed. */
function skipReason({ annotations, expectedStatus }: ReportedTest): string {
  if (expectedStatus !== "skipped") return "did not run, because other tests failed";
  const reason = annotations.find(({ type }) => type === "skip" || type === "fixme");
  return reason?.description ?? "no reason given";
}

/** Merges the failures of all tests whose browser did not start into one failure. */
function mergeLaunchFailures(failed: readonly TestNote[]): TestNote[] {
  const [first, ...others] = failed.filter(isLaunchFailure);
  if (first === undefined) return [...failed];
  const notRun = `Number of tests that did not run: ${others.length + 1}.`;
  const note = { title: "browser", message: `${causeOf(first.message)}\n${notRun}` };
  return [note, ...failed.filter((failure) => !isLaunchFailure(failure))];
}

function isLaunchFailure({ message }: TestNote): boolean {
  return /^(Error: )?browserType\.launch:/.test(message);
}
