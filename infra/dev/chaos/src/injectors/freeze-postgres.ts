import { processTable } from "@tapthru/local/processes/process-table";
import type { Testbed } from "../testbed/testbed.ts";

/** Lets Postgres hang, with all its backends: each of them leads a process group of its own. */
export function freezePostgres(testbed: Testbed): void {
  for (const pid of pidsOf(testbed)) process.kill(pid, "SIGSTOP");
}

export function thawPostgres(testbed: Testbed): void {
  for (const pid of pidsOf(testbed)) process.kill(pid, "SIGCONT");
}

/** The one that takes connections goes first: nobody new comes then. */
function pidsOf({ processes }: Testbed): number[] {
  const postmaster = processes.pid("Postgres");
  const children = processTable().filter(({ parent }) => parent === postmaster);
  return [postmaster, ...children.map(({ pid }) => pid)];
}
