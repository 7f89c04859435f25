import { Redis } from "ioredis";

const { REDIS_PORT = "16379" } = process.env;

/** Kills the stack's Redis, for good. */
export async function killRedis(): Promise<void> {
  const redis = new Redis({ port: Number(REDIS_PORT), retryStrategy: null });
  redis.on("error", () => {});
  const pid = /^process_id:(\d+)/m.exec(await redis.info("server"))?.[1];
  const gone = new Promise<void>((resolve) => redis.once("end", resolve));
  process.kill(Number(pid), "SIGKILL");
  await gone;
}
