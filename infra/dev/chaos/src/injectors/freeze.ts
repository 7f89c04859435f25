import type { ProcessName, Testbed } from "../testbed/testbed.ts";

/** Stops a process and its children with SIGSTOP: their sockets stay open, but nothing reads them. */
export function freeze({ processes }: Testbed, name: ProcessName): void {
  process.kill(-processes.pid(name), "SIGSTOP");
}

export function thaw({ processes }: Testbed, name: ProcessName): void {
  process.kill(-processes.pid(name), "SIGCONT");
}
