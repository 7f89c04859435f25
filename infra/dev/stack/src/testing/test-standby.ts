import { appendFile, chmod, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { withClient } from "@tapthru/postgres/with-client";
import { execa } from "execa";
import type { Stack } from "../processes/stack.ts";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { type PostgresPlan, startPostgres, superuserUrl } from "../servers/postgres.ts";
import { clusterFolder, postgresFolder, preparePostgresHome } from "../servers/postgres-home.ts";

/** A primary and its standby. */
export interface TestStandby {
  primaryUrl: string;
  standbyUrl: string;
  /** The standby receives changes, and applies them only after `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until the standby has applied everything that the primary has written. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestStandby(): Promise<TestStandby> {
  const { folders, stop, ...servers } = await startTemporarily(async (folder, stack) => {
    const primary = await planOf(join(folder, "primary"));
    const standby = await planOf(join(folder, "standby"));
    await startPostgres(primary, stack);
    await startStandby(standby, primary, stack);
    const [primaryUrl, standbyUrl] = [superuserUrl(primary), superuserUrl(standby)];
    const runOnStandby = async (statement: string) => {
      await withClient(standbyUrl, (client) => client.query(statement));
    };
    return {
      primaryUrl,
      standbyUrl,
      folders: [primary, standby].map(({ dataDir }) => postgresFolder(dataDir)),
      pause: () => runOnStandby("SELECT pg_wal_replay_pause()"),
      resume: () => runOnStandby("SELECT pg_wal_replay_resume()"),
      catchUp: () => catchUp(primaryUrl, standbyUrl),
    };
  });
  return {
    ...servers,
    async stop() {
      await stop();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function planOf(dataDir: string): Promise<PostgresPlan> {
  await mkdir(dataDir);
  const logFile = join(dataDir, "postgres.log");
  return { dataDir, port: await freePort(), password: "test", logFile, durable: false };
}

async function catchUp(primaryUrl: string, standbyUrl: string): Promise<void> {
  // Flushes earlier commits, because the primary does not wait for the disk.
  const { rows } = await withClient(primaryUrl, (client) =>
    client.query("SELECT pg_logical_emit_message(false, 'catch-up', '', true) AS position"),
  );
  const isApplied = `SELECT pg_last_wal_replay_lsn() >= '${rows[0].position}' AS applied`;
  await withClient(standbyUrl, async (client) => {
    while (!(await client.query(isApplied)).rows[0].applied);
  });
}

/** Of the running primary only. */
const LEFT_OUT = ["postmaster.pid", "postmaster.opts"];

/** Copies a running primary and starts the copy as its standby, which receives every change by streaming replication. */
async function startStandby(plan: PostgresPlan, primary: PostgresPlan, stack: Stack): Promise<void> {
  const home = await preparePostgresHome(plan.dataDir);
  const cluster = clusterFolder(home.folder);
  await withClient(superuserUrl(primary), async (client) => {
    await client.query("SELECT pg_backup_start('standby', fast => true)");
    await cp(clusterFolder(postgresFolder(primary.dataDir)), cluster, {
      recursive: true,
      filter: (path) => !LEFT_OUT.includes(basename(path)),
    });
    const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)");
    await writeFile(join(cluster, "backup_label"), rows[0].labelfile);
  });
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${primary.password}`;
  await appendFile(join(cluster, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  await writeFile(join(cluster, "standby.signal"), "");
  await chmod(cluster, 0o700);
  if (home.user) await execa("chown", ["-R", `${home.user.uid}:${home.user.gid}`, cluster]);
  await startPostgres({ ...plan, name: "Standby of Postgres" }, stack);
}
