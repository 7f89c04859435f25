import type { RequestRedis } from "@tapthru/runtime/redis/redis";

/** A marker in Redis that is lost together with the redirect records. All calls throw RedisUnavailableError. */
export interface Projection {
  /** Also true if a rebuild was started but has made no progress for a while. */
  isLost(): Promise<boolean>;
  beginRebuild(): Promise<void>;
  /** False if Redis was emptied since the rebuild started. */
  continueRebuild(): Promise<boolean>;
  /** False if Redis was emptied since the rebuild started. */
  endRebuild(): Promise<boolean>;
}

const KEY = "redirect:projection";
/** Longer than a batch takes with all its attempts. */
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
