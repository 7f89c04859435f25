import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { offFirstCore, onCores, onFirstCore } from "@tapthru/chaos/testbed/cores";
import { findServerPrograms } from "@tapthru/local/programs/find-programs";
import { postgresPlan, startDatabase } from "@tapthru/local/servers/database";
import { writeEmptyWebApp } from "@tapthru/local/servers/empty-web-app";
import { startGateway } from "@tapthru/local/servers/gateway";
import { superuserUrl } from "@tapthru/local/servers/postgres";
import { startRedis } from "@tapthru/local/servers/redis";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import { servicePlans } from "@tapthru/local/stack/service-plans";
import { readSettings, type Settings } from "@tapthru/local/stack/settings";
import type { Stack } from "@tapthru/local/stack/stack";
import { isolatedStackEnv } from "@tapthru/local/stack/stack-process";
import { DATABASE } from "@tapthru/postgres/login-roles";
import { urlOf } from "./codes.ts";
import { writeBareNginx } from "./nginx-302.ts";

const BARE_SERVER = fileURLToPath(new URL("./bare-server.ts", import.meta.url));

/** Addresses of all servers; the first five are origins. */
export interface Servers {
  /** The real redirect service. */
  service: string;
  /** A Fastify that only sends a redirect. */
  bare: string;
  /** An nginx that only sends a redirect. */
  nginx: string;
  /** The real gateway in front of the service. */
  gateway: string;
  /** A plain nginx in front of the bare Fastify. */
  bareGateway: string;
  servicePort: number;
  adminPort: number;
  redisPort: number;
  databaseUrl: string;
}

/** The service and its peers share one core; Postgres and Redis use the others. */
export async function startServers(folder: string, stack: Stack): Promise<Servers> {
  const settings = readSettings(await isolatedStackEnv(folder));
  const { ports, logsDir, webDir, gatewayDir } = settings;
  await Promise.all([logsDir, webDir, gatewayDir].map((dir) => mkdir(dir, { recursive: true })));
  await writeEmptyWebApp(webDir);
  const { redisServer: command, nginx } = await findServerPrograms();
  const others = onCores(offFirstCore, stack);
  const server = onCores(onFirstCore, stack);

  const redis = { name: "Redis", command, port: ports.REDIS_PORT, durable: false };
  await startRedis({ ...redis, dataDir: folder, logFile: join(logsDir, "redis.log") }, others);
  const secrets = await startDatabase(settings, others);
  const plans = servicePlans(settings, secrets, { watch: false, standInUrl: null });
  const redirect = plans.find(({ process }) => process.name === "redirect");
  if (redirect === undefined) throw new Error("missing plan of the redirect service");
  await server.start(redirect.process, () => respondsOverHttp(redirect.readyUrl, 200));
  const peers = await startPeers(settings, nginx, server);
  await startGateway(settings, { nginx, isDev: false }, server);
  return {
    ...peers,
    service: origin(ports.REDIRECT_PORT),
    gateway: origin(ports.PORT),
    servicePort: ports.REDIRECT_PORT,
    adminPort: ports.REDIRECT_ADMIN_PORT,
    redisPort: ports.REDIS_PORT,
    databaseUrl: superuserUrl(postgresPlan(settings, secrets), DATABASE),
  };
}

/** The bare Fastify listens on the port of the api, which does not run here. */
async function startPeers({ ports, gatewayDir, logsDir }: Settings, nginx: string, stack: Stack) {
  const { API_PORT: upstream, VITE_PORT: redirecting, STAND_IN_PORT: proxying } = ports;
  const location = urlOf(0);
  const isUp = (port: number) => () => respondsOverHttp(`${origin(port)}/l/2222222`);
  await stack.start(
    {
      name: "bare Fastify",
      command: process.execPath,
      args: [BARE_SERVER, location, String(upstream)],
      logFile: join(logsDir, "bare.log"),
    },
    isUp(upstream),
  );
  const args = await writeBareNginx(gatewayDir, { redirecting, proxying, upstream }, location);
  await stack.start(
    {
      name: "bare nginx",
      command: nginx,
      args,
      logFile: join(logsDir, "bare-nginx.log"),
    },
    isUp(proxying),
  );
  return { bare: origin(upstream), nginx: origin(redirecting), bareGateway: origin(proxying) };
}

function origin(port: number): string {
  return `http://127.0.0.1:${port}`;
}
