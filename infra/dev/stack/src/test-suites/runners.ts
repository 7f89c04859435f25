import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { JSONReport, JSONReportSuite } from "@playwright/test/reporter";
import type { JsonTestResults } from "vitest/node";
import { runTool, runWebTool } from "../run-tool.ts";
import { CHECKOUT } from "../stack/settings.ts";
import { NO_RESULTS, type Results } from "./results.ts";

interface RunnerOptions {
  /** The name of this part in the summary. */
  title: string;
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** The file to which the runner writes its report as JSON. */
  reportFile: string;
}

/** Runs Vitest and shows its output. A failed test is repeated once. */
export function runVitest(options: RunnerOptions, signal: AbortSignal): Promise<Results> {
  const reporters = ["--reporter=default", "--reporter=json"];
  const args = ["run", "--retry=1", ...reporters, `--outputFile.json=${options.reportFile}`];
  return run(runTool, ["vitest", ...args], options, vitestResults, signal);
}

/** Runs Playwright and shows its output. A failed test is repeated once. */
export function runPlaywright(options: RunnerOptions, signal: AbortSignal): Promise<Results> {
  const args = ["test", "--retries=1", "--reporter=list,json"];
  return run(runWebTool, ["playwright", ...args], options, playwrightResults, signal);
}

async function run<Report>(
  tool: typeof runTool,
  [file, ...args]: readonly [string, ...string[]],
  { title, args: further = [], env, reportFile }: RunnerOptions,
  resultsOf: (report: Report) => Results,
  cancelSignal: AbortSignal,
): Promise<Results> {
  console.log(`\n${title}`);
  const { failed } = await tool(file, [...args, ...further], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
    stdout: "inherit",
    stderr: "inherit",
    cancelSignal,
    forceKillAfterDelay: 20_000,
  });
  const results = existsSync(reportFile)
    ? resultsOf(JSON.parse(readFileSync(reportFile, "utf8")))
    : NO_RESULTS;
  // A runner also fails without a failed test: when a hook or its configuration has an error.
  const isUnexplained = failed && results.failed.length === 0;
  return isUnexplained ? { ...results, failed: [title] } : results;
}

/** Tests of a suite whose hook failed are skipped there; here the file has failed. */
function vitestResults({ testResults }: JsonTestResults): Results {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      title: `${relative(CHECKOUT, name)} › ${fullName}`,
      status,
    })),
  );
  const titles = (status: string) =>
    tests.filter((test) => test.status === status).map(({ title }) => title);
  const failedFiles = testResults
    .filter(({ status, assertionResults }) => {
      return status === "failed" && !assertionResults.some((test) => test.status === "failed");
    })
    .map(({ name }) => relative(CHECKOUT, name));
  return {
    passed: titles("passed").length,
    failed: [...failedFiles, ...titles("failed")],
    skipped: [...titles("skipped"), ...titles("pending"), ...titles("todo")],
  };
}

function playwrightResults({ suites }: JSONReport): Results {
  const tests = suites.flatMap(testsOf);
  const titles = (...statuses: string[]) =>
    tests.filter(({ status }) => statuses.includes(status)).map(({ title }) => title);
  return {
    passed: titles("expected", "flaky").length,
    failed: titles("unexpected"),
    skipped: titles("skipped"),
  };
}

function testsOf({ suites = [], specs }: JSONReportSuite): { title: string; status: string }[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.map(({ projectName, status }) => ({
      title: `[${projectName}] ${file} › ${title}`,
      status,
    })),
  );
  return [...own, ...suites.flatMap(testsOf)];
}
