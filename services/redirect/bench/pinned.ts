import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Readable } from "node:stream";

const TASKSET = "taskset";

/** Whether processes can be kept on a core of their own; else figures are only rough. */
export const canPin =
  availableParallelism() > 1 && spawnSync(TASKSET, ["--version"]).error === undefined;

/** Starts a program that lives on one core; `env` is then all it has of an environment. */
export function spawnPinned(
  core: number,
  command: string,
  args: string[],
  env?: Record<string, string>,
): ChildProcessByStdio<null, Readable, null> {
  const [program, programArgs] = canPin
    ? [TASKSET, ["-c", String(core), command, ...args]]
    : [command, args];
  return spawn(program, programArgs, { stdio: ["ignore", "pipe", "inherit"], ...(env && { env }) });
}
