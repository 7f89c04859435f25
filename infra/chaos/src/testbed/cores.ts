import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

export interface Command {
  command: string;
  args: readonly string[];
}

const TASKSET = "taskset";
export const CORES = availableParallelism();

/** Whether the load has a core to itself; else its figures are only rough. */
export const HAS_LOAD_CORE = CORES > 1 && spawnSync(TASKSET, ["--version"]).error === undefined;

/** Keeps a program to the last core. */
export function onLoadCore(program: Command): Command {
  return keptTo(String(CORES - 1), program);
}

/** Keeps a program off the last core. */
export function offLoadCore(program: Command): Command {
  return keptTo(`0-${CORES - 2}`, program);
}

/** taskset becomes the program it starts: the pid is the program's own. */
export function keptTo(cores: string, { command, args }: Command): Command {
  if (!HAS_LOAD_CORE) return { command, args };
  return { command: TASKSET, args: ["-c", cores, command, ...args] };
}
