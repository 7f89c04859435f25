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
import { type ReplicaEndpoint, redirectEndpoint, redirectEndpoints } from "./testbed-config.ts";

/** A second region beside the testbed: a standby, a cache Redis, two redirects, a region relay and a gateway. */
export interface Region {
  /** Origin of its gateway. */
  url: string;
  redirects: readonly [ReplicaEndpoint, ReplicaEndpoint];
  relayAdminPort: number;
  cachePort: number;
  /** All its connections to the first region. */
  distance: Distance;
  /** Starts a third redirect, which gets no visits from the gateway. Resolves when it listens. */
  startThirdRedirect(): Promise<ReplicaEndpoint>;
  stop(): Promise<void>;
}

export async function startRegion(testbed: Testbed, delayMs: number): Promise<Region> {
  const { config, processes } = testbed;
  const firstRegion = config.first;
  const distance = await startDistance(delayMs, {
    postgres: firstRegion.ports.POSTGRES_PORT,
    queue: config.queuePort,
    api: firstRegion.ports.API_PORT,
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

  const { secrets } = readSecrets(firstRegion.dataDir);
  const primary = { ...postgresPlan(firstRegion, secrets), port: distance.ports.postgres };
  await startStandby(postgresPlan(settings, secrets), primary, processes);

  const [first, second, third] = (["first", "second", "third"] as const).map((replica, index) => {
    const plan = redirectPlan(replicas[replica], secrets, ports, distance);
    const name = `redirect-${index + 1} of the region`;
    const logFile = join(logsDir, `redirect-${index + 1}.log`);
    return { ...plan, process: { ...plan.process, name, logFile } };
  }) as [ServicePlan, ServicePlan, ServicePlan];
  const relay = {
    ...first.process,
    name: "region relay",
    args: [join(CHECKOUT, "services", "worker", "src", "region", "main.ts")],
    env: { ...first.process.env, ADMIN_PORT: String(ports.WORKER_ADMIN_PORT) },
    logFile: join(logsDir, "region-relay.log"),
  };
  await Promise.all([
    ...[first, second].map(({ process, readyUrl }) =>
      processes.start(process, () => respondsOverHttp(readyUrl, 200)),
    ),
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
    cachePort: ports.REDIS_PORT,
    distance,
    async startThirdRedirect() {
      const endpoint = redirectEndpoint(replicas.third);
      await processes.start(third.process, () =>
        respondsOverHttp(`http://127.0.0.1:${endpoint.adminPort}/livez`, 200),
      );
      return endpoint;
    },
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
async function replicaSettings({ config: { first } }: Testbed) {
  const folder = join(first.dataDir, "region");
  const logsDir = join(first.logsDir, "region");
  const read = async () => {
    const settings = readSettings({ ...(await isolatedStackEnv(folder)), RATE_LIMITS: "off" });
    return { ...settings, logsDir, webDir: first.webDir };
  };
  await mkdir(folder);
  await mkdir(logsDir);
  return { first: await read(), second: await read(), third: await read() };
}
