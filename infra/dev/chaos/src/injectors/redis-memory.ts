import { Redis } from "ioredis";

/** Leaves a Redis less memory than it has in use: it refuses whatever would need more. */
export function fillRedis(port: number): Promise<void> {
  return configure(port, "maxmemory", "1");
}

export function giveRedisMemory(port: number): Promise<void> {
  return configure(port, "maxmemory", "0");
}

/** @param policy as "noeviction" or "allkeys-lru" */
export function setEvictionPolicy(port: number, policy: string): Promise<void> {
  return configure(port, "maxmemory-policy", policy);
}

async function configure(port: number, setting: string, value: string): Promise<void> {
  const redis = new Redis({ port });
  await redis.config("SET", setting, value);
  redis.disconnect();
}
