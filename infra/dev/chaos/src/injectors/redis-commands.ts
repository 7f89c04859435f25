import { Redis } from "ioredis";

/** Empties a Redis. */
export function flushRedis(port: number): Promise<void> {
  return command(port, (redis) => redis.flushall());
}

/** Makes a Redis accept requests without responding for that time. */
export function pauseRedis(port: number, ms: number): Promise<void> {
  return command(port, (redis) => redis.client("PAUSE", ms));
}

/** Closes the connections of all subscribers. */
export function killSubscribers(port: number): Promise<void> {
  return command(port, (redis) => redis.call("CLIENT", "KILL", "TYPE", "pubsub"));
}

async function command(port: number, work: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis({ port });
  try {
    await work(redis);
  } finally {
    redis.disconnect();
  }
}
