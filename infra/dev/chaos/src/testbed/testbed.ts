import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { startEmulator } from "@tapthru/local/emulator/emulator";
import { localEmulator } from "@tapthru/local/emulator/local-emulator";
import type { ProcessPlan } from "@tapthru/local/processes/running-process";
import { findServerPrograms } from "@tapthru/local/programs/find-programs";
import { postgresPlan, startDatabase } from "@tapthru/local/servers/database";
import { startGateway } from "@tapthru/local/servers/gateway";
import { startPostgres, superuserUrl } from "@tapthru/local/servers/postgres";
import { startRedis } from "@tapthru/local/servers/redis";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import type { ServicePlan } from "@tapthru/local/stack/service-plans";
import type { Settings } from "@tapthru/local/stack/settings";
import { DATABASE } from "@tapthru/postgres/login-roles";
import type { FaultProxy } from "../injectors/fault-proxy.ts";
import type { Places } from "./places.ts";
import { replicaPlans } from "./replicas.ts";
import type { Supervisor } from "./supervisor.ts";

export type ReplicaName = `${"api" | "redirect" | "worker"}-${1 | 2}`;
export type ProcessName =
  | "Postgres"
  | "cache Redis"
  | "queue Redis"
  | "Firebase emulator"
  | "gateway"
  | ReplicaName;

type ChangePlan = (plan: ProcessPlan) => ProcessPlan;

/** What lies around the product's processes. */
interface Surroundings {
  places: Places;
  standIn: AmazonStandIn;
  /** From all services to Amazon. */
  amazonWire: FaultProxy;
  /** From the api to the queue's Redis. */
  queueWire: FaultProxy;
}

/** The whole product on free ports, with data that goes when the trial is over. */
export interface Testbed extends Surroundings {
  processes: Supervisor;
  /** Origin of the gateway. */
  url: string;
  /** A superuser's. */
  databaseUrl: string;
  /** Starts a process that does not run; resolves once it answers. */
  start(name: ProcessName): Promise<void>;
  /** Ends a replica in good order and starts it as changed. */
  replace(name: ReplicaName, change: ChangePlan): Promise<void>;
}

const AT_FIRST = ["redirect-1", "redirect-2", "api-1", "api-2", "worker-1"] as const;

/**
 * Two replicas of api and redirect behind nginx, a worker and room for a second one, a Redis each for
 * cache and queue, Postgres.
 */
export async function startTestbed(
  surroundings: Surroundings,
  processes: Supervisor,
): Promise<Testbed> {
  const { places } = surroundings;
  const { first } = places;
  await mkdir(first.logsDir);
  await mkdir(first.webDir);
  await writeFile(join(first.webDir, "index.html"), "<!doctype html><title>Tapthru</title>");
  const { redisServer, nginx } = await findServerPrograms();

  const redis = (name: string, port: number, durable: boolean) => () =>
    startOwnRedis({ name, command: redisServer, port, durable }, first, processes);
  // What the cache holds may be lost at any time, so it is: only the queue's Redis keeps its data.
  const startCache = redis("cache Redis", places.cachePort, false);
  const startQueue = redis("queue Redis", places.queuePort, true);
  const [secrets] = await Promise.all([
    startDatabase(first, processes),
    startCache(),
    startQueue(),
  ]);

  const database = postgresPlan(first, secrets);
  const replicas = {
    api: [first, places.second].map(({ ports }) => `127.0.0.1:${ports.API_PORT}`),
    redirect: [first, places.second].map(({ ports }) => `127.0.0.1:${ports.REDIRECT_PORT}`),
  };
  const starters = new Map<string, () => Promise<void>>([
    ["Postgres", () => startPostgres(database, processes)],
    ["cache Redis", startCache],
    ["queue Redis", startQueue],
    ["Firebase emulator", () => startOwnEmulator(first, processes)],
    ["gateway", () => startGateway(first, { nginx, isDev: false, replicas }, processes)],
  ]);
  const plans = new Map<string, ServicePlan>();
  const startReplica = ({ process, readyUrl }: ServicePlan) =>
    processes.start(process, () => respondsOverHttp(readyUrl, (status) => status === 200));
  const urls = {
    cacheUrl: `redis://127.0.0.1:${places.cachePort}`,
    queueUrl: `redis://127.0.0.1:${places.queuePort}`,
    apiQueueUrl: `redis://127.0.0.1:${surroundings.queueWire.port}`,
    standInUrl: `http://127.0.0.1:${surroundings.amazonWire.port}`,
  };
  for (const plan of [
    ...replicaPlans(1, first, secrets, urls),
    ...replicaPlans(2, places.second, secrets, urls),
  ]) {
    plans.set(plan.process.name, plan);
    starters.set(plan.process.name, () => startReplica(plan));
  }
  const start = async (name: ProcessName) => starters.get(name)?.();
  await Promise.all(AT_FIRST.map(start));
  await start("gateway");

  return {
    ...surroundings,
    processes,
    url: `http://127.0.0.1:${first.ports.PORT}`,
    databaseUrl: superuserUrl(database, DATABASE),
    start,
    async replace(name, change) {
      const plan = plans.get(name) as ServicePlan;
      await processes.end(name, plan.process.stopSignal);
      await startReplica({ ...plan, process: change(plan.process) });
    },
  };
}

/** Without an account at first. */
function startOwnEmulator(settings: Settings, processes: Supervisor): Promise<void> {
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

async function startOwnRedis(
  plan: { name: string; command: string; port: number; durable: boolean },
  { dataDir, logsDir }: Settings,
  processes: Supervisor,
): Promise<void> {
  const folder = join(dataDir, plan.name);
  await mkdir(folder, { recursive: true });
  const logFile = join(logsDir, `${plan.name}.log`);
  await startRedis({ ...plan, dataDir: folder, logFile }, processes);
}
