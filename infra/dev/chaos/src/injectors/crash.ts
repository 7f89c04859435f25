import type { ProcessName, Testbed } from "../testbed/testbed.ts";

/** Kills a process with SIGKILL. */
export function crash({ processes }: Testbed, name: ProcessName): Promise<void> {
  return processes.end(name, "SIGKILL");
}

/** Like `pg_ctl stop -m immediate`: no checkpoint, so Postgres runs recovery at the next start. */
export function stopPostgresImmediately({ processes }: Testbed): Promise<void> {
  return processes.end("Postgres", "SIGQUIT");
}
