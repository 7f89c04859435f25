import { createLogger } from "@tapthru/runtime/logger";
import { createRedirectStore, type RedirectStore } from "@tapthru/runtime/redirect-store";
import { createRequestRedis, type RequestRedis } from "@tapthru/runtime/redis";
import { createOwnRedis, type OwnRedis } from "@tapthru/runtime/testing/own-redis";

export interface TestRedis {
  server: OwnRedis;
  redis: RequestRedis;
  redirectStore: RedirectStore;
  remove(): Promise<void>;
}

/** A server that tests may empty, hang and kill, and a client as the worker has it. */
export async function createTestRedis(...settings: string[]): Promise<TestRedis> {
  const server = await createOwnRedis(...settings);
  await server.start();
  const logger = createLogger({ service: "test", level: "fatal" });
  const redis = createRequestRedis({ url: server.url, name: "test", budgetMs: 1_000, logger });
  await redis.start?.();
  return {
    server,
    redis,
    redirectStore: createRedirectStore(redis, logger),
    async remove() {
      await redis.stop?.();
      await server.remove();
    },
  };
}
