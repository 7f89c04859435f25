import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findServerPrograms } from "@tapthru/local/programs/find-programs";
import { postgresPlan } from "@tapthru/local/servers/database";
import { startGateway } from "@tapthru/local/servers/gateway";
import { startStandby } from "@tapthru/local/servers/postgres-standby";
import { startRedis } from "@tapthru/local/servers/redis";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import { readSecrets, type Secrets } from "@tapthru/local/stack/secrets";
import { type ServicePlan, servicePlans } from "@tapthru/local/stack/service-plans";
import { CHECKOUT, readSettings, type Settings } from "@tapthru/local/stack/settings";
import { isolatedStackEnv } from "@tapthru/local/stack/stack-process";
import { type Distance, startDistance } from "../injectors/distance.ts";
import type { Testbed } from "./testbed.ts";
import { type ReplicaEndpoint, redirectEndpoints, type TestbedConfig } from "./testbed-config.ts";

/** A second region beside the testbed: a standby, a cache Redis, two redirects, a region relay and a gateway. */
export interface Region {
  /** Origin of its gateway. */
  url: string;
  redirects: readonly [ReplicaEndpoint, ReplicaEndpoint];
  relayAdminPort: number;
  /** All its connections to the first region. */
  distance: Distance;
  stop(): Promise<void>;
}

export async function startRegion(testbed: Testbed, delayMs: number): Promise<Region> {
  const { config, processes } = testbed;
  const { first } = config;
  const distance = await startDistance(delayMs, {
    postgres: first.ports.POSTGRES_PORT,
    queue: config.queuePort,
    api: first.ports.API_PORT,
  });
  const replicas = await replicaSettings(testbed);
  const settings = replicas.first;
  const { ports, logsDir } = settings;
  const { redisServer, nginx } = await findServerPrograms();
  await startRedis(
    {
      name: "cache Redis of the region",
      command: redisServer,
      port: ports.REDIS_PORT,
      dataDir: settings.dataDir,
      logFile: join(logsDir, "redis.log"),
      durable: false,
    },
    processes,
  );

  const { secrets } = readSecrets(first.dataDir);
  const primary = { ...postgresPlan(first, secrets), port: distance.ports.postgres };
  await startStandby(postgresPlan(settings, secrets), primary, processes);

  const plans = [replicas.first, replicas.second].map((replica) =>
    redirectPlan(replica, secrets, ports, distance),
  );
  const [{ process }] = plans as [ServicePlan, ServicePlan];
  const relay = {
    ...process,
    name: "region relay",
    args: [join(CHECKOUT, "services", "worker", "src", "region", "main.ts")],
    env: { ...process.env, ADMIN_PORT: String(ports.WORKER_ADMIN_PORT) },
    logFile: join(logsDir, "region-relay.log"),
  };
  await Promise.all([
    ...plans.map(({ process, readyUrl }, index) => {
      const name = `redirect-${index + 1} of the region`;
      const logFile = join(logsDir, `redirect-${index + 1}.log`);
      return processes.start({ ...process, name, logFile }, () => respondsOverHttp(readyUrl, 200));
    }),
    processes.start(relay, () =>
      respondsOverHttp(`http://127.0.0.1:${ports.WORKER_ADMIN_PORT}/readyz`, 200),
    ),
  ]);
  const redirects = redirectEndpoints(replicas);
  const addresses = {
    api: [`127.0.0.1:${distance.ports.api}`],
    redirect: redirects.map(({ origin }) => new URL(origin).host),
  };
  const gateway = { name: "gateway of the region", nginx, isDev: false, replicas: addresses };
  await startGateway(settings, gateway, processes);
  return {
    url: `http://127.0.0.1:${ports.PORT}`,
    redirects,
    relayAdminPort: ports.WORKER_ADMIN_PORT,
    distance,
    stop: distance.stop,
  };
}

/** A redirect that reads changes from the primary, and links from the region's Redis and standby. */
function redirectPlan(
  settings: Settings,
  secrets: Secrets,
  { POSTGRES_PORT, REDIS_PORT }: Settings["ports"],
  distance: Distance,
): ServicePlan {
  const ports = { ...settings.ports, REDIS_PORT, POSTGRES_PORT: distance.ports.postgres };
  const [plan] = servicePlans({ ...settings, ports }, secrets, { watch: false, standInUrl: null });
  if (plan === undefined) throw new Error("there is no plan of a redirect");
  const standbyUrl = new URL(plan.process.env?.DATABASE_URL ?? "");
  standbyUrl.port = String(POSTGRES_PORT);
  const env = {
    ...plan.process.env,
    DATABASE_READ_URL: standbyUrl.href,
    REDIS_QUEUE_URL: `redis://127.0.0.1:${distance.ports.queue}`,
    RATE_LIMITS: "off",
  };
  return { ...plan, process: { ...plan.process, env } };
}

/** The folders of the region, inside those of the testbed, and free ports. */
async function replicaSettings({
  config: { first },
}: Testbed): Promise<Pick<TestbedConfig, "first" | "second">> {
  const folder = join(first.dataDir, "region");
  const logsDir = join(first.logsDir, "region");
  const [settings, others] = (await Promise.all(
    [0, 1].map(async () =>
      readSettings({ ...(await isolatedStackEnv(folder)), RATE_LIMITS: "off" }),
    ),
  )) as [Settings, Settings];
  await mkdir(settings.dataDir);
  await mkdir(logsDir);
  const ofRegion = { ...settings, logsDir, webDir: first.webDir };
  return { first: ofRegion, second: { ...ofRegion, ports: others.ports } };
}
