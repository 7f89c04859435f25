import { Redis } from "ioredis";

const { REDIS_PORT = "16379" } = process.env;

/** Closes the connections of the stack's Redis and refuses new ones. @returns a function that accepts them again */
export async function closeRedis(): Promise<() => Promise<void>> {
  const redis = new Redis({ port: Number(REDIS_PORT) });
  await redis.config("SET", "port", "0");
  for (const type of ["NORMAL", "PUBSUB"]) await redis.call("CLIENT", "KILL", "TYPE", type);
  return async () => {
    await redis.config("SET", "port", REDIS_PORT);
    redis.disconnect();
  };
}
