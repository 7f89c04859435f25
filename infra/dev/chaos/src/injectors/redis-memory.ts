import { Redis } from "ioredis";

/** Sets maxmemory below the current use: Redis refuses commands that need memory. */
export function fillRedis(port: number): Promise<void> {
  return configure(port, "maxmemory", "1");
}

export function restoreRedisMemory(port: number): Promise<void> {
  return configure(port, "maxmemory", "0");
}

/** @param policy as "noeviction" or "allkeys-lru" */
export function setEvictionPolicy(port: number, policy: string): Promise<void> {
  return configure(port, "maxmemory-policy", policy);
}

async function configure(port: number, setting: string, value: string): Promise<void> {
  const redis = new Redis({ port });
  try {
    await redis.config("SET", setting, value);
  } finally {
    redis.disconnect();
  }
}
