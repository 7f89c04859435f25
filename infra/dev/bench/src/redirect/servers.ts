import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { offFirstCore, onCores, onFirstCore } from "@tapthru/chaos/testbed/cores";
import { startGatewayMetrics } from "@tapthru/local/gateway-metrics";
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
import type { Server } from "./compare.ts";
import { writeBareNginx } from "./nginx-302.ts";
import { type Shorteners, startShorteners } from "./shorteners/start-shorteners.ts";

const BARE_FASTIFY = fileURLToPath(new URL("./bare-fastify.ts", import.meta.url));
const BARE_NODE = fileURLToPath(new URL("./bare-node.ts", import.meta.url));

export interface Servers extends Shorteners {
  /** The real redirect service. */
  service: Server;
  /** A Fastify that only sends a redirect. */
  fastify: Server;
  /** A server of node:http that only sends a redirect. */
  node: Server;
  /** An nginx that only sends a redirect. */
  nginx: Server;
  /** The real gateway in front of the service. */
  gateway: Server;
  /** A plain nginx in front of the bare Fastify. */
  bareGateway: Server;
  /** Where their debuggers listen after SIGUSR1. */
  debugPorts: { service: number; fastify: number };
  adminPort: number;
  redisPort: number;
  databaseUrl: string;
}

/**
 * The service and its peers share one core; Postgres and Redis use the others.
 * @param serviceEnv settings of the service that are not the default ones
 */
export async function startServers(
  folder: string,
  stack: Stack,
  serviceEnv: NodeJS.ProcessEnv,
): Promise<Servers> {
  const settings = readSettings({ ...(await isolatedStackEnv(folder)), ...serviceEnv });
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
  const args = [debugOption(ports.API_ADMIN_PORT), ...redirect.process.args];
  await server.start({ ...redirect.process, args }, () => respondsOverHttp(redirect.readyUrl, 200));
  const peers = await startPeers(settings, nginx, server);
  // Without a receiver, nginx opens a new socket for every second record.
  await startGatewayMetrics(settings, others);
  await startGateway(settings, { nginx, isDev: false, workers: 1 }, server);
  const databaseUrl = superuserUrl(postgresPlan(settings, secrets), DATABASE);
  const service = stack.pid(redirect.process.name);
  return {
    ...peers,
    ...(await startShorteners(settings, databaseUrl, server)),
    service: serverOf(ports.REDIRECT_PORT, [service]),
    gateway: serverOf(ports.PORT, [stack.pid("gateway"), service]),
    debugPorts: { service: ports.API_ADMIN_PORT, fastify: ports.WORKER_ADMIN_PORT },
    adminPort: ports.REDIRECT_ADMIN_PORT,
    redisPort: ports.REDIS_PORT,
    databaseUrl,
  };
}

/** Peers use the ports of programs that do not run here. */
async function startPeers({ ports, gatewayDir, logsDir }: Settings, nginx: string, stack: Stack) {
  const { API_PORT: upstream, EMULATOR_PORT: node } = ports;
  const { VITE_PORT: redirecting, STAND_IN_PORT: proxying } = ports;
  const location = urlOf(0);

  async function startPeer(name: string, command: string, args: string[], port: number) {
    const logFile = join(logsDir, `${name.replace(" ", "-")}.log`);
    await stack.start({ name, command, args, logFile }, () =>
      respondsOverHttp(`http://127.0.0.1:${port}/l/2222222`),
    );
    return stack.pid(name);
  }

  const script = (file: string, port: number) => [file, location, String(port)];
  const { execPath } = process;
  const ofFastify = await startPeer(
    "bare Fastify",
    execPath,
    [debugOption(ports.WORKER_ADMIN_PORT), ...script(BARE_FASTIFY, upstream)],
    upstream,
  );
  const ofNode = await startPeer("bare node:http", execPath, script(BARE_NODE, node), node);
  const args = await writeBareNginx(gatewayDir, { redirecting, proxying, upstream }, location);
  const ofNginx = await startPeer("bare nginx", nginx, args, proxying);
  return {
    fastify: serverOf(upstream, [ofFastify]),
    node: serverOf(node, [ofNode]),
    nginx: serverOf(redirecting, [ofNginx]),
    bareGateway: serverOf(proxying, [ofNginx, ofFastify]),
  };
}

/** Node.js opens the port only when it gets SIGUSR1. */
function debugOption(port: number): string {
  return `--inspect-port=127.0.0.1:${port}`;
}

function serverOf(port: number, processGroups: number[]): Server {
  return { linksUrl: `http://127.0.0.1:${port}/l/`, processGroups };
}
