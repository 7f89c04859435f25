import type { ProcessName, Testbed } from "../testbed/testbed.ts";

/** Lets a process and its children hang: their sockets stay open, nobody reads from them. */
export function freeze({ processes }: Testbed, name: ProcessName): void {
  process.kill(-processes.pid(name), "SIGSTOP");
}

export function thaw({ processes }: Testbed, name: ProcessName): void {
  process.kill(-processes.pid(name), "SIGCONT");
}
