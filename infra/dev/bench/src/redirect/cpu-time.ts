import { readdirSync, readFileSync } from "node:fs";
import { processTable } from "@tapthru/local/processes/process-table";

/**
 * The CPU time of all threads that run in these process groups, in seconds. Linux counts it in nanoseconds, so it is
 * exact enough for rounds of a second. Threads that have ended do not count.
 */
export function cpuSeconds(groups: readonly number[]): number {
  const members = processTable().filter(({ group }) => groups.includes(group));
  return members.reduce((sum, { pid }) => sum + processCpuSeconds(pid), 0);
}

/** The CPU time of the threads of a process; 0 if it has ended. */
export function processCpuSeconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const threads = ifRunning(() => readdirSync(tasks)) ?? [];
  const nanoseconds = threads.map((thread) =>
    cpuNanoseconds(ifRunning(() => readFileSync(`${tasks}/${thread}/schedstat`, "utf8")) ?? "0"),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e9;
}

/** Null if the process or thread ended before or while it was read. */
function ifRunning<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return null;
    throw error;
  }
}

/** @param schedstat time on a core, time of waiting for one, and number of time slices */
export function cpuNanoseconds(schedstat: string): number {
  const [onCore = ""] = schedstat.split(" ");
  return Number(onCore);
}
