import { RedirectRecord, redirectKey } from "@tapthru/proto/redirect/record";
import { Redis } from "ioredis";
import * as z from "zod/mini";

async function withRedis<T>(port: number, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ port });
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Empties a Redis. */
export const flushRedis = (port: number) => withRedis(port, (redis) => redis.flushall());

/** Makes a Redis accept requests without responding for `ms` milliseconds. */
export const pauseRedis = (port: number, ms: number) =>
  withRedis(port, (redis) => redis.client("PAUSE", ms));

/** Closes the connections of all subscribers, and returns their number. */
export const killSubscribers = (port: number) =>
  withRedis(port, async (redis) => Number(await redis.call("CLIENT", "KILL", "TYPE", "pubsub")));

/** @param setting with maxmemory below the current use, Redis refuses commands that need memory */
export const configureRedis = (
  port: number,
  setting: "maxmemory" | "maxmemory-policy",
  value: string,
) => withRedis(port, (redis) => redis.config("SET", setting, value));

/** States of the redirect records in Redis; null for codes without a record. */
export function readRecordStates(port: number, codes: readonly string[]) {
  return withRedis(port, async (redis) => {
    const texts = await redis.mget(codes.map(redirectKey));
    return texts.map((text) =>
      text === null ? null : z.parse(RedirectRecord, JSON.parse(text)).state,
    );
  });
}

/** The number of keys and the used memory of a Redis, in bytes. */
export function readRedisUsage(port: number) {
  return withRedis(port, async (redis) => {
    const bytes = /^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1];
    return { keys: await redis.dbsize(), bytes: Number(bytes) };
  });
}

/** "ok", or "err" after a write to the append-only file failed. */
export function readAofStatus(port: number): Promise<string> {
  return withRedis(port, async (redis) => {
    const info = await redis.info("persistence");
    return /^aof_last_write_status:(\w+)/m.exec(info)?.[1] ?? "unknown";
  });
}
