import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findServerPrograms } from "@tapthru/local/programs/find-programs";
import { postgresPlan } from "@tapthru/local/servers/database";
import { startGateway } from "@tapthru/local/servers/gateway";
import { startStandby } from "@tapthru/local/servers/postgres-standby";
import { startRedis } from "@tapthru/local/servers/redis";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import { readSecrets } from "@tapthru/local/stack/secrets";
import { servicePlans } from "@tapthru/local/stack/service-plans";
import { CHECKOUT, readSettings, type Settings } from "@tapthru/local/stack/settings";
import { isolatedStackEnv } from "@tapthru/local/stack/stack-process";
import { type Distance, startDistance } from "../injectors/distance.ts";
import type { Testbed } from "./testbed.ts";

/** A second region beside the testbed: a standby, a cache Redis, a redirect, a region relay and a gateway. */
export interface Region {
  /** Origin of its gateway. */
  url: string;
  redirectAdminPort: number;
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
  const settings = await regionSettings(testbed);
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

  const [redirect] = servicePlans(
    { ...settings, ports: { ...ports, POSTGRES_PORT: distance.ports.postgres } },
    secrets,
    { watch: false, standInUrl: null },
  );
  if (redirect === undefined) throw new Error("there is no plan of a redirect");
  const standbyUrl = new URL(redirect.process.env?.DATABASE_URL ?? "");
  standbyUrl.port = String(ports.POSTGRES_PORT);
  const env = {
    ...redirect.process.env,
    DATABASE_READ_URL: standbyUrl.href,
    REDIS_QUEUE_URL: `redis://127.0.0.1:${distance.ports.queue}`,
    RATE_LIMITS: "off",
  };
  const relay = {
    ...redirect.process,
    name: "region relay",
    args: [join(CHECKOUT, "services", "worker", "src", "region", "main.ts")],
    env: { ...env, ADMIN_PORT: String(ports.WORKER_ADMIN_PORT) },
    logFile: join(logsDir, "region-relay.log"),
  };
  await Promise.all([
    processes.start({ ...redirect.process, name: "redirect of the region", env }, () =>
      respondsOverHttp(redirect.readyUrl, 200),
    ),
    processes.start(relay, () =>
      respondsOverHttp(`http://127.0.0.1:${ports.WORKER_ADMIN_PORT}/readyz`, 200),
    ),
  ]);
  const replicas = {
    api: [`127.0.0.1:${distance.ports.api}`],
    redirect: [`127.0.0.1:${ports.REDIRECT_PORT}`],
  };
  const gateway = { name: "gateway of the region", nginx, isDev: false, replicas };
  await startGateway(settings, gateway, processes);
  return {
    url: `http://127.0.0.1:${ports.PORT}`,
    redirectAdminPort: ports.REDIRECT_ADMIN_PORT,
    relayAdminPort: ports.WORKER_ADMIN_PORT,
    distance,
    stop: distance.stop,
  };
}

/** The folders and free ports of the region, inside those of the testbed. */
async function regionSettings({ config: { first } }: Testbed): Promise<Settings> {
  const env = await isolatedStackEnv(join(first.dataDir, "region"));
  const logsDir = join(first.logsDir, "region");
  const settings = readSettings({ ...env, RATE_LIMITS: "off" });
  await mkdir(settings.dataDir);
  await mkdir(logsDir);
  return { ...settings, logsDir, webDir: first.webDir };
}
