import { RedirectRecord, redirectKey } from "@tapthru/proto/redirect/record";
import { Redis } from "ioredis";
import * as z from "zod/mini";

type State = RedirectRecord["state"] | null;

/** States of the redirect records in Redis; null for codes without a record. */
export function readRecordStates(port: number, codes: readonly string[]): Promise<State[]> {
  return withRedis(port, async (redis) => {
    const texts = await redis.mget(codes.map(redirectKey));
    return texts.map((text) =>
      text === null ? null : z.parse(RedirectRecord, JSON.parse(text)).state,
    );
  });
}

interface Contents {
  keys: number;
  bytes: number;
}

/** Keys and used memory of a Redis. */
export function readContents(port: number): Promise<Contents> {
  return withRedis(port, async (redis) => {
    const bytes = /^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1];
    return { keys: await redis.dbsize(), bytes: Number(bytes) };
  });
}

async function withRedis<T>(port: number, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ port });
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
