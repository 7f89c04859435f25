import { join } from "node:path";
import * as z from "zod/mini";
import { runTool, runWebTool } from "../run-tool.ts";
import type { TestResults } from "./results.ts";
import { readReport, runResults } from "./runner-report.ts";

const VITEST_REPORTER = join(import.meta.dirname, "vitest-reporter.ts");
const PLAYWRIGHT_REPORTER = join(import.meta.dirname, "playwright-reporter.ts");

/** Options of a run of Vitest or Playwright. */
interface RunnerOptions {
  /** Further arguments, such as `--config=<file>`. */
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** The file to which the runner writes its report as JSON. */
  reportFile: string;
}

/** @throws UserFacingError with the cause if no test ran */
export function runVitest(options: RunnerOptions, signal: AbortSignal): Promise<TestResults> {
  const reporters = ["--reporter=default", `--reporter=${VITEST_REPORTER}`];
  const args = ["run", "--retry=1", ...reporters, `--outputFile=${options.reportFile}`];
  return run(runTool, ["vitest", ...args], options, signal);
}

/** @throws UserFacingError with the cause if no test ran */
export function runPlaywright(options: RunnerOptions, signal: AbortSignal): Promise<TestResults> {
  const args = ["test", "--retries=1", `--reporter=list,${PLAYWRIGHT_REPORTER}`];
  return run(runWebTool, ["playwright", ...args], options, signal);
}

/** Runs a test runner, shows its output and reads its report. */
async function run(
  tool: typeof runTool,
  [file, ...args]: readonly [string, ...string[]],
  { args: further = [], env, reportFile }: RunnerOptions,
  cancelSignal: AbortSignal,
): Promise<TestResults> {
  const { failed, stderr } = await tool(file, [...args, ...further], {
    env: { ...env, REPORT_FILE: reportFile },
    stdout: "inherit",
    stderr: ["inherit", "pipe"],
    cancelSignal,
    forceKillAfterDelay: 20_000,
  });
  return runResults(readReport(reportFile), { hasFailed: failed, errorOutput: stderr ?? "" });
}

/**
 * The number of tests that Vitest finds in the files; an `it.each` counts once.
 * @returns null if Vitest cannot list them
 */
export async function countVitestTests(args: readonly string[] = []): Promise<number | null> {
  const { failed, stdout } = await runTool("vitest", ["list", "--json", ...args]);
  return failed ? null : z.parse(z.array(z.unknown()), JSON.parse(stdout)).length;
}

/** @returns null if Playwright cannot list its tests */
export async function countPlaywrightTests(): Promise<number | null> {
  const { failed, stdout } = await runWebTool("playwright", ["test", "--list"]);
  return failed ? null : Number(/^Total: (\d+) tests? in /m.exec(stdout)?.[1]);
}
