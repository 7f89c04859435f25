import { join } from "node:path";
import { execa } from "execa";
import { CHECKOUT } from "../stack/settings.ts";
import { playwrightReport } from "./playwright-report.ts";
import type { TestResults } from "./results.ts";
import { type RunnerOptions, readReport, startRunner } from "./run-runner.ts";
import { readRun } from "./runner-report.ts";

const WEB = join(CHECKOUT, "web");

/** @throws UserFacingError with the cause if no test ran */
export async function runPlaywright(
  { args = [], env, reportFile }: RunnerOptions,
  interruption: AbortSignal,
): Promise<TestResults> {
  const exit = await startRunner(
    ["playwright", "test", "--retries=1", "--reporter=list,json", ...args],
    { cwd: WEB, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile } },
    interruption,
  );
  return readRun(readReport(reportFile, playwrightReport), exit);
}

/** @returns null if Playwright cannot list its tests */
export async function countPlaywrightTests(): Promise<number | null> {
  const { failed, stdout } = await execa("playwright", ["test", "--list", "--reporter=json"], {
    cwd: WEB,
    preferLocal: true,
    localDir: WEB,
    stdin: "ignore",
    reject: false,
  });
  return failed ? null : playwrightReport.parse(JSON.parse(stdout)).listed;
}
