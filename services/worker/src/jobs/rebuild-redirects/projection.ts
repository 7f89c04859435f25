import type { RequestRedis } from "@tapthru/runtime/redis/redis";

/** A mark among the redirect records: gone when they are. All calls throw RedisUnavailableError. */
export interface Projection {
  /** Also when a rebuild was begun and nothing was heard of it for a while. */
  isLost(): Promise<boolean>;
  beginRebuild(): Promise<void>;
  /** False when Redis has been emptied since the rebuild began. */
  continueRebuild(): Promise<boolean>;
  /** False when Redis has been emptied since the rebuild began. */
  endRebuild(): Promise<boolean>;
}

const KEY = "redirect:projection";
/** Longer than a stretch takes with all its attempts. */
const REBUILD_TTL_MS = 5 * 60_000;

export function createProjection(redis: RequestRedis): Projection {
  return {
    isLost: async () => (await redis.run((client) => client.exists(KEY))) === 0,
    async beginRebuild() {
      await redis.run((client) => client.set(KEY, "rebuilding", "PX", REBUILD_TTL_MS));
    },
    continueRebuild: async () =>
      (await redis.run((client) => client.set(KEY, "rebuilding", "PX", REBUILD_TTL_MS, "XX"))) ===
      "OK",
    endRebuild: async () =>
      (await redis.run((client) => client.set(KEY, "complete", "XX"))) === "OK",
  };
}
