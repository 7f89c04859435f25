import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { offFirstCore, onCores, onFirstCore } from "@tapthru/chaos/testbed/cores";
import { startLocalEmulator } from "@tapthru/local/emulator/local-emulator";
import { findServerPrograms } from "@tapthru/local/programs/find-programs";
import { startDatabase } from "@tapthru/local/servers/database";
import { startRedis } from "@tapthru/local/servers/redis";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import { servicePlans } from "@tapthru/local/stack/service-plans";
import { readSettings } from "@tapthru/local/stack/settings";
import type { Stack } from "@tapthru/local/stack/stack";
import { isolatedStackEnv } from "@tapthru/local/stack/stack-process";

const PEERS = {
  "bare Koa": fileURLToPath(new URL("./bare-koa.ts", import.meta.url)),
  "Koa with the same work": fileURLToPath(
    new URL("../../../../../services/api/bench/same-work-koa.ts", import.meta.url),
  ),
};
export type PeerName = keyof typeof PEERS;

/** A server and the process that responds. */
export interface ApiServer {
  origin: string;
  pid: number;
}

export interface ApiServers {
  /** Two replicas of the api. */
  api: ApiServer;
  replica: ApiServer;
  emulatorHost: string;
  /** @param userId the owner of the links that the bare Koa inserts */
  startPeer(name: PeerName, userId: number): Promise<ApiServer>;
}

/** The api, its replica and the peers share one core; Postgres, Redis and the emulator use the others. */
export async function startApiServers(
  folder: string,
  stack: Stack,
  signal: AbortSignal,
): Promise<ApiServers> {
  const settings = readSettings(await isolatedStackEnv(folder));
  const { ports, logsDir } = settings;
  const { API_PORT, API_ADMIN_PORT, REDIRECT_PORT, REDIRECT_ADMIN_PORT } = ports;
  const { VITE_PORT, STAND_IN_PORT } = ports;
  await mkdir(logsDir, { recursive: true });
  const { redisServer: command } = await findServerPrograms();
  const others = onCores(offFirstCore, stack);
  const onFirst = onCores(onFirstCore, stack);
  const redis = { name: "Redis", command, port: ports.REDIS_PORT, durable: false };
  await startRedis({ ...redis, dataDir: folder, logFile: join(logsDir, "redis.log") }, others);
  const secrets = await startDatabase(settings, others);
  await startLocalEmulator(settings, others, signal);
  const plans = servicePlans(settings, secrets, { watch: false, standInUrl: null });
  const plan = plans.find(({ process }) => process.name === "api");
  if (plan === undefined) throw new Error("missing plan of the api");
  const { env, ...program } = plan.process;
  const publicBaseUrl = originOf(API_PORT);
  const peerPorts = { "bare Koa": VITE_PORT, "Koa with the same work": STAND_IN_PORT };

  async function startReplica(name: string, port: number, adminPort: number): Promise<ApiServer> {
    const own = { PORT: String(port), ADMIN_PORT: String(adminPort), RATE_LIMITS: "off" };
    const process = {
      ...program,
      name,
      env: { ...env, ...own, PUBLIC_BASE_URL: publicBaseUrl },
      logFile: join(logsDir, `${name}.log`),
    };
    await onFirst.start(process, () => respondsOverHttp(`${originOf(adminPort)}/readyz`, 200));
    return { origin: originOf(port), pid: stack.pid(name) };
  }

  return {
    api: await startReplica("api", API_PORT, API_ADMIN_PORT),
    replica: await startReplica("replica", REDIRECT_PORT, REDIRECT_ADMIN_PORT),
    emulatorHost: `127.0.0.1:${ports.EMULATOR_PORT}`,
    async startPeer(name, userId) {
      const port = peerPorts[name];
      const args = [PEERS[name], port, env?.DATABASE_URL, env?.REDIS_CACHE_URL, userId].map(String);
      const logFile = join(logsDir, `${name}.log`);
      const peer = { name, command: process.execPath, args, logFile };
      await onFirst.start(peer, () => respondsOverHttp(originOf(port)));
      return { origin: originOf(port), pid: stack.pid(name) };
    },
  };
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
