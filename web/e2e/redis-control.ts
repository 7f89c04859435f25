import { Redis } from "ioredis";

const { REDIS_PORT = "16379" } = process.env;

/**
 * Cuts every connection to the stack's Redis and turns new ones away, as if it had been killed; the
 * launcher ends the whole stack with a process that really dies.
 * @returns what brings it back
 */
export async function loseRedis(): Promise<() => Promise<void>> {
  const redis = new Redis(Number(REDIS_PORT));
  const [, maxClients = ""] = (await redis.config("GET", "maxclients")) as string[];
  await redis.config("SET", "maxclients", 1);
  for (const type of ["normal", "pubsub"]) {
    await redis.call("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
  }
  await expectToBeTurnedAway();
  return async () => {
    await redis.config("SET", "maxclients", maxClients);
    redis.disconnect();
  };
}

async function expectToBeTurnedAway(): Promise<void> {
  const visitor = new Redis({ port: Number(REDIS_PORT), lazyConnect: true, retryStrategy: null });
  visitor.on("error", () => {});
  const answer = await visitor.connect().catch(() => "turned away");
  visitor.disconnect();
  if (answer !== "turned away") throw new Error("Redis still answers");
}
