import type { ProcessName, Testbed } from "../testbed/testbed.ts";

/** Kills processes with SIGKILL at the same time. */
export async function crash({ processes }: Testbed, ...names: ProcessName[]): Promise<void> {
  await Promise.all(names.map((name) => processes.end(name, "SIGKILL")));
}

/** Like `pg_ctl stop -m immediate`: no checkpoint, so Postgres runs recovery at the next start. */
export function stopPostgresImmediately({ processes }: Testbed): Promise<void> {
  return processes.end("Postgres", "SIGQUIT");
}
