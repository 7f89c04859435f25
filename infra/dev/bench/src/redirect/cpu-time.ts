import { readdirSync, readFileSync } from "node:fs";
import { processTable } from "@tapthru/local/processes/process-table";

/**
 * The CPU time of all threads that run in these process groups, in seconds. Linux counts it in nanoseconds, so it is
 * exact enough for rounds of a second.
 */
export function cpuSeconds(groups: readonly number[]): number {
  const members = processTable().filter(({ group }) => groups.includes(group));
  const nanoseconds = members.flatMap(({ pid }) =>
    readdirSync(`/proc/${pid}/task`).map((thread) =>
      cpuNanoseconds(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8")),
    ),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e9;
}

/** @param schedstat time on a core, time of waiting for one, and number of time slices */
export function cpuNanoseconds(schedstat: string): number {
  const [onCore = ""] = schedstat.split(" ");
  return Number(onCore);
}
