import { Redis } from "ioredis";

/** Empties a Redis. */
export function flushRedis(port: number): Promise<"OK"> {
  return command(port, (redis) => redis.flushall());
}

/** Makes a Redis accept requests without responding for that time. */
export function pauseRedis(port: number, ms: number): Promise<unknown> {
  return command(port, (redis) => redis.client("PAUSE", ms));
}

/** Closes the connections of all subscribers, and returns their number. */
export function killSubscribers(port: number): Promise<number> {
  return command(port, async (redis) =>
    Number(await redis.call("CLIENT", "KILL", "TYPE", "pubsub")),
  );
}

async function command<T>(port: number, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ port });
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
