import { appendFile, chmod, cp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { withClient } from "@tapthru/postgres/with-client";
import { execa } from "execa";
import type { Stack } from "../stack/stack.ts";
import { type PostgresPlan, startPostgres, superuserUrl } from "./postgres.ts";
import { clusterFolder, postgresFolder, preparePostgresHome } from "./postgres-home.ts";

/** Of the running primary only. */
const LEFT_OUT = ["postmaster.pid", "postmaster.opts"];

/** Copies a running primary and starts the copy as its standby, which receives every change by streaming replication. */
export async function startStandby(
  plan: PostgresPlan,
  primary: PostgresPlan,
  stack: Stack,
): Promise<void> {
  const home = await preparePostgresHome(plan.dataDir);
  const cluster = clusterFolder(home.folder);
  await withClient(superuserUrl(primary), async (client) => {
    await client.query("SELECT pg_backup_start('standby', fast => true)");
    await cp(clusterFolder(postgresFolder(primary.dataDir)), cluster, {
      recursive: true,
      filter: (path) => !LEFT_OUT.includes(basename(path)),
    });
    const { rows } = await client.query(
      "SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)",
    );
    await writeFile(join(cluster, "backup_label"), rows[0].labelfile);
  });
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${primary.password}`;
  await appendFile(join(cluster, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  await writeFile(join(cluster, "standby.signal"), "");
  await chmod(cluster, 0o700);
  if (home.user) await execa("chown", ["-R", `${home.user.uid}:${home.user.gid}`, cluster]);
  await startPostgres({ ...plan, name: "Standby of Postgres" }, stack);
}
