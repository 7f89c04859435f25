import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { JSONReport, JSONReportSuite } from "@playwright/test/reporter";
import type { JsonTestResults } from "vitest/node";
import { runTool, runWebTool } from "../run-tool.ts";
import { CHECKOUT } from "../stack/settings.ts";
import { type Outcome, titlesOf } from "./outcomes.ts";

interface RunnerOptions {
  title: string;
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** The file to which the runner writes its report as JSON. */
  reportFile: string;
}

/** Runs Vitest and shows its output. A failed test is repeated once. */
export function runVitest(options: RunnerOptions, signal: AbortSignal): Promise<Outcome[]> {
  const reporters = ["--reporter=default", "--reporter=json"];
  const args = ["run", "--retry=1", ...reporters, `--outputFile.json=${options.reportFile}`];
  return run(runTool, ["vitest", ...args], options, vitestOutcomes, signal);
}

/** Runs Playwright and shows its output. A failed test is repeated once. */
export function runPlaywright(options: RunnerOptions, signal: AbortSignal): Promise<Outcome[]> {
  const args = ["test", "--retries=1", "--reporter=list,json"];
  return run(runWebTool, ["playwright", ...args], options, playwrightOutcomes, signal);
}

async function run<Report>(
  tool: typeof runTool,
  [file, ...args]: readonly [string, ...string[]],
  { title, args: further = [], env, reportFile }: RunnerOptions,
  outcomesOf: (report: Report) => Outcome[],
  cancelSignal: AbortSignal,
): Promise<Outcome[]> {
  console.log(`\n${title}`);
  const { failed } = await tool(file, [...args, ...further], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
    stdout: "inherit",
    stderr: "inherit",
    cancelSignal,
    forceKillAfterDelay: 20_000,
  });
  const hasReport = existsSync(reportFile);
  const outcomes = hasReport ? outcomesOf(JSON.parse(readFileSync(reportFile, "utf8"))) : [];
  // A runner also fails without a failed test: when a hook or its configuration has an error.
  const isUnexplained = failed && titlesOf(outcomes, "failed").length === 0;
  return isUnexplained ? [...outcomes, { title, status: "failed" }] : outcomes;
}

function vitestOutcomes({ testResults }: JsonTestResults): Outcome[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(CHECKOUT, name);
    const tests = assertionResults.map(({ fullName, status }): Outcome => {
      const isDone = status === "passed" || status === "failed";
      return { title: `${file} › ${fullName}`, status: isDone ? status : "skipped" };
    });
    // Tests of a suite whose hook failed are skipped there; here the file has failed.
    const isUnexplained = status === "failed" && titlesOf(tests, "failed").length === 0;
    return isUnexplained ? [...tests, { title: file, status: "failed" }] : tests;
  });
}

const PLAYWRIGHT_STATUS = {
  expected: "passed",
  flaky: "passed",
  unexpected: "failed",
  skipped: "skipped",
} as const;

function playwrightOutcomes({ suites }: Pick<JSONReportSuite, "suites"> | JSONReport): Outcome[] {
  return (suites ?? []).flatMap((suite) => [
    ...suite.specs.flatMap(({ file, title, tests }) =>
      tests.map(({ projectName, status }) => ({
        title: `[${projectName}] ${file} › ${title}`,
        status: PLAYWRIGHT_STATUS[status],
      })),
    ),
    ...playwrightOutcomes(suite),
  ]);
}
