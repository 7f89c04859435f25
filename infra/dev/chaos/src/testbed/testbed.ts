import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { startEmulator } from "@tapthru/local/emulator/emulator";
import { localEmulator } from "@tapthru/local/emulator/local-emulator";
import type { ProcessPlan } from "@tapthru/local/processes/running-process";
import { findServerPrograms } from "@tapthru/local/programs/find-programs";
import { postgresPlan, startDatabase } from "@tapthru/local/servers/database";
import { writeEmptyWebApp } from "@tapthru/local/servers/empty-web-app";
import { startGateway } from "@tapthru/local/servers/gateway";
import { startPostgres, superuserUrl } from "@tapthru/local/servers/postgres";
import { startRedis } from "@tapthru/local/servers/redis";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import { type ServicePlan, servicePlans } from "@tapthru/local/stack/service-plans";
import type { Settings } from "@tapthru/local/stack/settings";
import type { Stack } from "@tapthru/local/stack/stack";
import { DATABASE } from "@tapthru/postgres/login-roles";
import type { FaultProxy } from "../injectors/fault-proxy.ts";
import type { ReplicaName, TestbedConfig } from "./testbed-config.ts";

export type ProcessName =
  | "Postgres"
  | "cache Redis"
  | "queue Redis"
  | "Firebase emulator"
  | "gateway"
  | ReplicaName;

type ChangePlan = (plan: ProcessPlan) => ProcessPlan;

/** The configuration of a testbed, and the servers and proxies that replace the outside world. */
export interface TestbedFixtures {
  config: TestbedConfig;
  standIn: AmazonStandIn;
  /** Proxy between all services and Amazon. */
  amazonProxy: FaultProxy;
  /** Proxy between the api and the queue Redis. */
  queueProxy: FaultProxy;
}

/** The complete stack on free ports, with data that is deleted after the run. */
export interface Testbed extends TestbedFixtures {
  processes: Stack;
  /** Origin of the gateway. */
  url: string;
  /** URL for connecting to the database as a superuser. */
  databaseUrl: string;
  /** Starts stopped processes, all at the same time. Resolves when they are ready. */
  start(...names: ProcessName[]): Promise<void>;
  /** Stops a replica gracefully and starts it with a changed plan. */
  replace(name: ReplicaName, change: ChangePlan): Promise<void>;
}

const INITIAL_REPLICAS = ["redirect-1", "redirect-2", "api-1", "api-2", "worker-1"] as const;

/**
 * Two replicas of api and redirect behind nginx, a worker (and a plan for a second one), a cache Redis,
 * a queue Redis and Postgres.
 */
export async function startTestbed(fixtures: TestbedFixtures, processes: Stack): Promise<Testbed> {
  const { config } = fixtures;
  const { first } = config;
  await mkdir(first.logsDir);
  await mkdir(first.webDir);
  await writeEmptyWebApp(first.webDir);
  const { redisServer, nginx } = await findServerPrograms();

  const redis = (name: string, port: number, durable: boolean) => () =>
    startTestbedRedis({ name, command: redisServer, port, durable }, first, processes);
  // The cache may be lost at any time, so only the queue Redis persists its data.
  const startCache = redis("cache Redis", config.cachePort, false);
  const startQueue = redis("queue Redis", config.queuePort, true);
  const [secrets] = await Promise.all([
    startDatabase(first, processes),
    startCache(),
    startQueue(),
  ]);

  const database = postgresPlan(first, secrets);
  const replicas = {
    api: [first, config.second].map(({ ports }) => `127.0.0.1:${ports.API_PORT}`),
    redirect: [first, config.second].map(({ ports }) => `127.0.0.1:${ports.REDIRECT_PORT}`),
  };
  const starters = new Map<string, () => Promise<void>>([
    ["Postgres", () => startPostgres(database, processes)],
    ["cache Redis", startCache],
    ["queue Redis", startQueue],
    ["Firebase emulator", () => startTestbedEmulator(first, processes)],
    ["gateway", () => startGateway(first, { nginx, isDev: false, replicas }, processes)],
  ]);
  const plans = new Map<string, ServicePlan>();
  const startReplica = ({ process, readyUrl }: ServicePlan) =>
    processes.start(process, () => respondsOverHttp(readyUrl, 200));
  const standInUrl = `http://127.0.0.1:${fixtures.amazonProxy.port}`;
  for (const [index, settings] of [first, config.second].entries()) {
    for (const service of servicePlans(settings, secrets, { watch: false, standInUrl })) {
      const plan = replicaPlan(service, index + 1, fixtures);
      plans.set(plan.process.name, plan);
      starters.set(plan.process.name, () => startReplica(plan));
    }
  }
  const start = async (...names: ProcessName[]) => {
    await Promise.all(names.map((name) => starters.get(name)?.()));
  };
  await start(...INITIAL_REPLICAS);
  await start("gateway");

  return {
    ...fixtures,
    processes,
    url: `http://127.0.0.1:${first.ports.PORT}`,
    databaseUrl: superuserUrl(database, DATABASE),
    start,
    async replace(name, change) {
      const plan = plans.get(name) as ServicePlan;
      await processes.end(name, "SIGTERM");
      await startReplica({ ...plan, process: change(plan.process) });
    },
  };
}

/** The plan of one replica of a service, such as "redirect-1". */
function replicaPlan(
  plan: ServicePlan,
  number: number,
  { config, queueProxy }: TestbedFixtures,
): ServicePlan {
  const name = `${plan.process.name}-${number}`;
  const cacheUrl = `redis://127.0.0.1:${config.cachePort}`;
  const queuePort = plan.process.name === "api" ? queueProxy.port : config.queuePort;
  const env = {
    ...plan.process.env,
    REDIS_CACHE_URL: cacheUrl,
    REDIS_SESSION_URL: cacheUrl,
    REDIS_QUEUE_URL: `redis://127.0.0.1:${queuePort}`,
    // All load comes from one address.
    RATE_LIMITS: "off",
  };
  const logFile = join(config.first.logsDir, `${name}.log`);
  return { ...plan, process: { ...plan.process, name, env, logFile } };
}

/** Starts the Firebase emulator without accounts. */
function startTestbedEmulator(settings: Settings, processes: Stack): Promise<void> {
  const { dataDir, logsDir, ports } = settings;
  return startEmulator(
    {
      ...localEmulator(settings),
      loggingPort: ports.EMULATOR_LOGGING_PORT,
      homeDir: join(dataDir, "emulator"),
      exportsDir: null,
      logFile: join(logsDir, "emulator.log"),
    },
    processes,
  );
}

async function startTestbedRedis(
  plan: { name: string; command: string; port: number; durable: boolean },
  { dataDir, logsDir }: Settings,
  processes: Stack,
): Promise<void> {
  const folder = join(dataDir, plan.name);
  await mkdir(folder, { recursive: true });
  const logFile = join(logsDir, `${plan.name}.log`);
  await startRedis({ ...plan, dataDir: folder, logFile }, processes);
}
