import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Stack } from "@tapthru/local/stack/stack";

export interface Command {
  command: string;
  args: readonly string[];
}

const TASKSET = "taskset";
const STATUS = "/proc/self/status";

/** The cores that this process may use; empty on systems other than Linux. */
const CORES = existsSync(STATUS) ? allowedCores(readFileSync(STATUS, "utf8")) : [];

/** Whether the load has its own core; otherwise its figures are approximate. */
export const HAS_LOAD_CORE =
  CORES.length > 1 && spawnSync(TASKSET, ["--version"]).error === undefined;

/** @param status the text of /proc/PID/status, see proc(5): a container may not have the first cores */
export function allowedCores(status: string): number[] {
  const [, list = ""] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status) ?? [];
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Pins a program to the first core. */
export function onFirstCore(program: Command): Command {
  return pinnedTo(CORES.slice(0, 1), program);
}

/** Keeps a program off the first core. */
export function offFirstCore(program: Command): Command {
  return pinnedTo(CORES.slice(1), program);
}

/** Pins a program to the last core. */
export function onLoadCore(program: Command): Command {
  return pinnedTo(CORES.slice(-1), program);
}

/** Keeps a program off the last core. */
export function offLoadCore(program: Command): Command {
  return pinnedTo(CORES.slice(0, -1), program);
}

/** The stack with all processes on these cores. */
export function onCores(cores: (program: Command) => Command, stack: Stack): Stack {
  return { ...stack, start: (plan, isReady) => stack.start({ ...plan, ...cores(plan) }, isReady) };
}

/** taskset replaces itself with the program, so the pid is that of the program. */
function pinnedTo(cores: readonly number[], { command, args }: Command): Command {
  if (!HAS_LOAD_CORE) return { command, args };
  return { command: TASKSET, args: ["-c", cores.join(","), command, ...args] };
}
