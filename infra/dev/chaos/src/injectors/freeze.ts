import { processTable } from "@tapthru/local/processes/process-table";
import type { ProcessName, Testbed } from "../testbed/testbed.ts";

/** Stops a process and its children with SIGSTOP: their sockets stay open, but nothing reads them. */
export function freeze(testbed: Testbed, name: ProcessName): void {
  for (const pid of pidsOf(testbed, name)) process.kill(pid, "SIGSTOP");
}

export function thaw(testbed: Testbed, name: ProcessName): void {
  for (const pid of pidsOf(testbed, name)) process.kill(pid, "SIGCONT");
}

/** Freezes the processes while `work` runs. */
export async function whileFrozen<T>(
  testbed: Testbed,
  names: readonly ProcessName[],
  work: () => Promise<T>,
): Promise<T> {
  for (const name of names) freeze(testbed, name);
  try {
    return await work();
  } finally {
    for (const name of names) thaw(testbed, name);
  }
}

/**
 * Process ids of the process and its children; each Postgres backend leads its own process group. The process comes
 * first, so that it is stopped before it can start another child.
 */
function pidsOf({ processes }: Testbed, name: ProcessName): number[] {
  const pid = processes.pid(name);
  const children = processTable().filter(({ parent }) => parent === pid);
  return [pid, ...children.map((child) => child.pid)];
}
