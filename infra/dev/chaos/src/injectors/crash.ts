import type { ProcessName, Testbed } from "../testbed/testbed.ts";

/** Ends a process without a chance to tidy up. */
export function crash({ processes }: Testbed, name: ProcessName): Promise<void> {
  return processes.end(name, "SIGKILL");
}

/** As `pg_ctl stop -m immediate` does it: no checkpoint, so that it recovers when it starts again. */
export function stopPostgresImmediately({ processes }: Testbed): Promise<void> {
  return processes.end("Postgres", "SIGQUIT");
}
