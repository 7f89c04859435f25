import { mkdir } from "node:fs/promises";
import { Redis } from "ioredis";
import type { Stack } from "../processes/stack.ts";

export interface RedisPlan {
  name: string;
  command: string;
  port: number;
  dataDir: string;
  logFile: string;
  /** True: writes are kept on disk. False: nothing is kept. */
  durable: boolean;
}

export async function startRedis(plan: RedisPlan, stack: Stack): Promise<void> {
  await mkdir(plan.dataDir, { recursive: true });
  await stack.start(
    {
      name: plan.name,
      command: plan.command,
      args: redisArguments(plan),
      logFile: plan.logFile,
    },
    () => respondsToPing(plan.port),
  );
}

function redisArguments({ port, dataDir, durable }: RedisPlan): string[] {
  return Object.entries({
    bind: "127.0.0.1",
    port: String(port),
    dir: dataDir,
    appendonly: durable ? "yes" : "no",
    save: "",
    "maxmemory-policy": "noeviction",
  }).flatMap(([name, value]) => [`--${name}`, value]);
}

/** Also false while the server loads its data. */
async function respondsToPing(port: number): Promise<boolean> {
  const redis = new Redis({ port, lazyConnect: true, connectTimeout: 2_000, retryStrategy: null });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}
