import { existsSync } from "node:fs";
import { chown, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { withClient } from "@tapthru/postgres/with-client";
import { execa } from "execa";
import type { ProcessPlan, Stack } from "../processes/stack.ts";
import { clusterFolder, type PostgresHome, preparePostgresHome } from "./postgres-home.ts";

export interface PostgresPlan {
  dataDir: string;
  port: number;
  password: string;
  logFile: string;
  /** False: writes do not wait for the disk, so a power failure may lose them. */
  durable: boolean;
}

/** Logged after a kill, until the killed server is reaped and its last queries have ended. */
const STILL_IN_USE = /lock file "postmaster.pid" already exists|pre-existing shared memory block .* is still in use/;
const STILL_IN_USE_TIMEOUT_MS = 30_000;

/** Starts the embedded Postgres; creates the cluster first if it does not exist. */
export async function startPostgres(plan: PostgresPlan, stack: Stack): Promise<void> {
  const home = await preparePostgresHome(plan.dataDir);
  const cluster = clusterFolder(home.folder);
  if (!existsSync(cluster)) await initialize(home, cluster, plan);

  const process: ProcessPlan = {
    name: "Postgres",
    command: home.postgres,
    args: postgresArguments(cluster, plan),
    logFile: plan.logFile,
    stopSignal: "SIGINT",
    cwd: "/",
    env: environment(),
    ...(home.user ? { user: home.user } : {}),
    startAgain: () => startPostgres(plan, stack),
  };
  const end = Date.now() + STILL_IN_USE_TIMEOUT_MS;
  for (;;) {
    try {
      return await stack.start(process, () => acceptsConnections(superuserUrl(plan)));
    } catch (error) {
      const isInUse = error instanceof UserFacingError && STILL_IN_USE.test(error.message);
      if (!isInUse || Date.now() > end) throw error;
      await delay(500);
    }
  }
}

export function superuserUrl(
  { port, password }: Pick<PostgresPlan, "port" | "password">,
  database = "postgres",
): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

async function initialize(home: PostgresHome, cluster: string, plan: PostgresPlan): Promise<void> {
  const unfinished = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await writeFile(passwordFile, plan.password, { mode: 0o600 });
  if (home.user) await chown(passwordFile, home.user.uid, home.user.gid);
  try {
    await execa(home.initdb, initdbArguments(unfinished, passwordFile, plan), {
      cwd: "/",
      stdin: "ignore",
      env: environment(),
      extendEnv: false,
      ...home.user,
    });
  } finally {
    await rm(passwordFile);
  }
  await rename(unfinished, cluster);
}

/** Locale C: initdb refuses a locale that the system lacks, and STILL_IN_USE matches English logs. */
function environment(): NodeJS.ProcessEnv {
  const isLocale = (name: string) => /^(LC_|LANG)/.test(name);
  const others = Object.entries(process.env).filter(([name]) => !isLocale(name));
  return { ...Object.fromEntries(others), LC_ALL: "C" };
}

function initdbArguments(folder: string, passwordFile: string, { durable }: PostgresPlan) {
  return [
    `--pgdata=${folder}`,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    ...(durable ? [] : ["--no-sync"]),
  ];
}

function postgresArguments(cluster: string, { port, durable }: PostgresPlan): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 300,
    // As in the containers, independent of the machine.
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    // Error details of a refused row contain user input.
    log_error_verbosity: "terse",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["-D", cluster, ...options];
}

function acceptsConnections(url: string): Promise<boolean> {
  return withClient(url, async () => true).catch(() => false);
}
