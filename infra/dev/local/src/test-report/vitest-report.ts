import { relative } from "node:path";
import type { SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";
import { CHECKOUT } from "../stack/settings.ts";
import { withoutLibraries } from "./error-text.ts";
import { NO_RESULTS, sumResults, type TestNote, type TestResults } from "./results.ts";
import type { RunnerReport } from "./runner-report.ts";

const NO_REASON = "no reason given";

/** @param errors errors outside of the tests, such as of the configuration */
export function vitestReport(
  modules: readonly TestModule[],
  errors: readonly SerializedError[],
): RunnerReport {
  const { failed, flaky, skipped, passed } = sumResults(modules.map(moduleResults));
  return {
    passed,
    failed: [...failed],
    flaky: [...flaky],
    skipped: [...skipped],
    errors: errors.map(textOf),
  };
}

function moduleResults(module: TestModule): TestResults {
  const file = relative(CHECKOUT, module.moduleId);
  if (module.state() === "queued" || module.state() === "pending") {
    return failure({ title: file, message: "The tests of this file did not finish." });
  }
  return suiteResults(module, file);
}

/** Vitest marks the tests of a suite with a failed hook as skipped; here they are one failure. */
function suiteResults(suite: TestModule | TestSuite, title: string): TestResults {
  const [error] = suite.errors();
  const children = sumResults(
    suite.children.array().map((child) => {
      const name = `${title} › ${child.name}`;
      return child.type === "suite" ? suiteResults(child, name) : testResults(child, name);
    }),
  );
  if (error === undefined) return children;
  const notRun = children.skipped.filter(({ message }) => message === NO_REASON);
  const count =
    notRun.length > 0 ? `\nNumber of its tests that did not run: ${notRun.length}.` : "";
  const own = failure({ title, message: `${textOf(error)}${count}` });
  const skipped = children.skipped.filter((note) => !notRun.includes(note));
  return sumResults([own, { ...children, skipped }]);
}

function testResults(test: TestCase, title: string): TestResults {
  const result = test.result();
  const [error] = result.errors ?? [];
  const message = error === undefined ? "" : textOf(error);
  switch (result.state) {
    case "passed":
      return {
        ...NO_RESULTS,
        passed: 1,
        flaky: test.diagnostic()?.flaky ? [{ title, message }] : [],
      };
    case "failed":
      return failure({ title, message });
    case "skipped":
      return { ...NO_RESULTS, skipped: [{ title, message: result.note ?? NO_REASON }] };
    case "pending":
      return failure({ title, message: "The test did not finish." });
  }
}

function failure(note: TestNote): TestResults {
  return { ...NO_RESULTS, failed: [note] };
}

function textOf(error: SerializedError): string {
  return withoutLibraries(error.stack ?? error.message);
}
