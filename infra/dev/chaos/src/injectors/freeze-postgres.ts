import { processTable } from "@tapthru/local/processes/process-table";
import type { Testbed } from "../testbed/testbed.ts";

/** Stops Postgres and all its backends; each backend leads its own process group. */
export function freezePostgres(testbed: Testbed): void {
  for (const pid of pidsOf(testbed)) process.kill(pid, "SIGSTOP");
}

export function thawPostgres(testbed: Testbed): void {
  for (const pid of pidsOf(testbed)) process.kill(pid, "SIGCONT");
}

/** The postmaster comes first, so that no new backend starts. */
function pidsOf({ processes }: Testbed): number[] {
  const postmaster = processes.pid("Postgres");
  const children = processTable().filter(({ parent }) => parent === postmaster);
  return [postmaster, ...children.map(({ pid }) => pid)];
}
