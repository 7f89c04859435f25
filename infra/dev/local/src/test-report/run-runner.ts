import { existsSync, readFileSync } from "node:fs";
import { execa } from "execa";
import type * as z from "zod/mini";
import type { RunnerExit, RunnerReport } from "./runner-report.ts";

/** A run of a test runner. */
export interface RunnerOptions {
  /** Further arguments, such as `--config=<file>`. */
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** The file for its report, as JSON. */
  reportFile: string;
}

/** Runs a test runner and passes its output through. */
export async function startRunner(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv | undefined },
  cancelSignal: AbortSignal,
): Promise<RunnerExit> {
  const { failed, stderr } = await execa(file, args, {
    cwd,
    env,
    preferLocal: true,
    localDir: cwd,
    stdin: "ignore",
    stdout: "inherit",
    stderr: ["inherit", "pipe"],
    reject: false,
    cancelSignal,
    forceKillAfterDelay: 20_000,
  });
  return { hasFailed: failed, errorOutput: stderr ?? "" };
}

/** Null if the runner wrote no report. */
export function readReport<Report extends RunnerReport>(
  file: string,
  schema: z.ZodMiniType<Report>,
): Report | null {
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
}
