import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { answers } from "@tapthru/local/answers";
import { postgresPlan, startDatabase } from "@tapthru/local/database";
import { findServerPrograms } from "@tapthru/local/find-programs";
import { startGateway } from "@tapthru/local/gateway";
import { DATABASE } from "@tapthru/local/login-roles";
import { startPostgres, superuserUrl } from "@tapthru/local/postgres";
import { startRedis } from "@tapthru/local/redis";
import { readSettings, type Settings } from "@tapthru/local/settings";
import { freeStackEnv } from "@tapthru/local/stack-process";
import type { TestRun } from "@tapthru/local/test-run";
import { replicaPlans } from "./replicas.ts";
import type { Supervisor } from "./supervisor.ts";

export type ProcessName =
  | "Postgres"
  | "cache Redis"
  | "queue Redis"
  | "gateway"
  | `${"api" | "redirect" | "worker"}-${1 | 2}`;

/** The whole product on free ports, with data that goes when the trial is over. */
export interface Testbed {
  processes: Supervisor;
  /** Origin of the gateway. */
  url: string;
  /** A superuser's. */
  databaseUrl: string;
  redisUrls: { cache: string; queue: string };
  standIn: AmazonStandIn;
  /** Starts a process that has ended; resolves once it answers. */
  start(name: ProcessName): Promise<void>;
}

/** Two replicas of api and redirect behind nginx, a worker, a Redis each for cache and queue. */
export async function startTestbed(
  run: TestRun,
  processes: Supervisor,
  standIn: AmazonStandIn,
): Promise<Testbed> {
  const settings = await freeSettings(run);
  const second = {
    ...settings,
    ports: { ...(await freeSettings(run)).ports, POSTGRES_PORT: settings.ports.POSTGRES_PORT },
  };
  await mkdir(settings.logsDir);
  await mkdir(settings.webDir);
  await writeFile(join(settings.webDir, "index.html"), "<!doctype html><title>Tapthru</title>");
  const { redisServer: command, nginx } = await findServerPrograms();

  const redis = (name: string, port: number, durable: boolean) => async () => {
    const dataDir = join(settings.dataDir, name);
    await mkdir(dataDir, { recursive: true });
    const logFile = join(settings.logsDir, `${name}.log`);
    await startRedis({ name, command, port, dataDir, logFile, durable }, processes);
  };
  // What the cache holds may be lost at any time, so it is: only the queue's Redis keeps its data.
  const startCache = redis("cache Redis", settings.ports.REDIS_PORT, false);
  const startQueue = redis("queue Redis", second.ports.REDIS_PORT, true);
  const [secrets] = await Promise.all([
    startDatabase(settings, processes),
    startCache(),
    startQueue(),
  ]);

  const redisUrls = {
    cache: `redis://127.0.0.1:${settings.ports.REDIS_PORT}`,
    queue: `redis://127.0.0.1:${second.ports.REDIS_PORT}`,
  };
  const surroundings = { redises: redisUrls, standInUrl: standIn.url };
  const services = [
    ...replicaPlans(1, settings, secrets, surroundings),
    ...replicaPlans(2, second, secrets, surroundings),
  ];
  const replicas = {
    api: [settings, second].map(({ ports }) => `127.0.0.1:${ports.API_PORT}`),
    redirect: [settings, second].map(({ ports }) => `127.0.0.1:${ports.REDIRECT_PORT}`),
  };
  const database = postgresPlan(settings, secrets);
  const starters = new Map<string, () => Promise<void>>([
    ["Postgres", () => startPostgres(database, processes)],
    ["cache Redis", startCache],
    ["queue Redis", startQueue],
    ["gateway", () => startGateway(settings, { nginx, isDev: false, replicas }, processes)],
  ]);
  for (const { process, readyUrl } of services) {
    const isReady = () => answers(readyUrl, (status) => status === 200);
    starters.set(process.name, () => processes.start(process, isReady));
  }
  const start = async (name: ProcessName) => starters.get(name)?.();

  await Promise.all(
    (["redirect-1", "redirect-2", "api-1", "api-2", "worker-1"] as const).map(start),
  );
  await start("gateway");
  return {
    processes,
    url: `http://127.0.0.1:${settings.ports.PORT}`,
    databaseUrl: superuserUrl(database, DATABASE),
    redisUrls,
    standIn,
    start,
  };
}

async function freeSettings({ folder }: TestRun): Promise<Settings> {
  return readSettings(await freeStackEnv(folder));
}
