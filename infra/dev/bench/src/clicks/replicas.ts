import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { offFirstCore, onCores, onFirstCore } from "@tapthru/chaos/testbed/cores";
import { findServerPrograms } from "@tapthru/local/programs/find-programs";
import { startDatabase } from "@tapthru/local/servers/database";
import { startRedis } from "@tapthru/local/servers/redis";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import { servicePlans } from "@tapthru/local/stack/service-plans";
import { readSettings } from "@tapthru/local/stack/settings";
import type { Stack } from "@tapthru/local/stack/stack";
import { isolatedStackEnv } from "@tapthru/local/stack/stack-process";

/** A replica of redirect. */
export interface Replica {
  origin: string;
  adminPort: number;
}

interface Replicas {
  /** Counts visits. */
  on: Replica;
  /** Does not. */
  off: Replica;
  redisPort: number;
}

/** Both replicas share one core; Postgres and Redis use the others. */
export async function startReplicas(folder: string, stack: Stack): Promise<Replicas> {
  const settings = readSettings(await isolatedStackEnv(folder));
  const { ports, logsDir } = settings;
  const { POSTGRES_PORT, REDIS_PORT } = ports;
  await mkdir(logsDir, { recursive: true });
  const { redisServer: command } = await findServerPrograms();
  const onOtherCores = onCores(offFirstCore, stack);
  const logFile = join(logsDir, "redis.log");
  const redis = { name: "Redis", command, port: REDIS_PORT, durable: false };
  await startRedis({ ...redis, dataDir: folder, logFile }, onOtherCores);
  const secrets = await startDatabase(settings, onOtherCores);

  async function startReplica(clicks: "on" | "off"): Promise<Replica> {
    const others = readSettings(await isolatedStackEnv(folder));
    const own = { ...settings, ports: { ...others.ports, POSTGRES_PORT, REDIS_PORT } };
    const plans = servicePlans(own, secrets, { watch: false, standInUrl: null });
    const plan = plans.find(({ process }) => process.name === "redirect");
    if (plan === undefined) throw new Error("missing plan of the redirect service");
    const name = `redirect-${clicks}`;
    const process = {
      ...plan.process,
      name,
      env: { ...plan.process.env, CLICKS: clicks },
      logFile: join(logsDir, `${name}.log`),
    };
    await onCores(onFirstCore, stack).start(process, () => respondsOverHttp(plan.readyUrl, 200));
    const { REDIRECT_PORT, REDIRECT_ADMIN_PORT } = own.ports;
    return { origin: `http://127.0.0.1:${REDIRECT_PORT}`, adminPort: REDIRECT_ADMIN_PORT };
  }

  return {
    on: await startReplica("on"),
    off: await startReplica("off"),
    redisPort: REDIS_PORT,
  };
}
