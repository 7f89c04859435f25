import { existsSync, readFileSync } from "node:fs";
import { execa } from "execa";
import type { Count } from "./count.ts";
import { countReport, type Runner } from "./count-report.ts";

/** A test runner that leaves a report in JSON. */
export interface Suite {
  runner: Runner;
  command: readonly [string, ...string[]];
  reportFile: string;
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

export async function runSuite(suite: Suite, cancelSignal: AbortSignal): Promise<Count> {
  const [file, ...args] = suite.command;
  const { failed } = await execa(file, args, {
    cwd: suite.cwd,
    preferLocal: true,
    localDir: suite.cwd,
    stdio: ["ignore", "inherit", "inherit"],
    reject: false,
    cancelSignal,
    forceKillAfterDelay: 20_000,
    ...(suite.env ? { env: suite.env } : {}),
  });
  const report = existsSync(suite.reportFile)
    ? JSON.parse(readFileSync(suite.reportFile, "utf8"))
    : null;
  return countReport(suite.runner, report, failed);
}
