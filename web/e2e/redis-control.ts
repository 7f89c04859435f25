import { Redis } from "ioredis";

const { REDIS_PORT = "16379" } = process.env;

/** Kills the stack's Redis. It is not started again. */
export async function killRedis(): Promise<void> {
  const redis = new Redis({ port: Number(REDIS_PORT), retryStrategy: null });
  redis.on("error", () => {});
  const pid = /^process_id:(\d+)/m.exec(await redis.info("server"))?.[1];
  const disconnected = new Promise<void>((resolve) => redis.once("end", resolve));
  process.kill(Number(pid), "SIGKILL");
  await disconnected;
}
