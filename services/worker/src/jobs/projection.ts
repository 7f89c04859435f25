import type { RedisClient } from "@tapthru/core/platform/redis/client";
import { RECORD_FORMAT } from "@tapthru/core/platform/redis/redirect-store";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { PROJECTION_KEY } from "@tapthru/proto/redirect/record";

/** A marker in Redis that is lost together with the redirect records. All calls throw RedisUnavailableError. */
export interface Projection {
  /** Also true if a rebuild was started but has made no progress for a while, or a release of other fields made the last one. */
  isLost(): Promise<boolean>;
  beginRebuild(): Promise<void>;
  /** False if Redis was emptied since the rebuild started. */
  continueRebuild(): Promise<boolean>;
  /** False if Redis was emptied since the rebuild started. */
  endRebuild(): Promise<boolean>;
}

/** Enough for up to 20 masters: each must hold a marker, because it may lose its records alone. */
const MARKERS_OF_CLUSTER = 100;

/** The keys of the marker, spread over the slots of a cluster. */
export function markerKeys(isCluster: boolean): string[] {
  if (!isCluster) return [PROJECTION_KEY];
  return Array.from({ length: MARKERS_OF_CLUSTER }, (_, i) => `${PROJECTION_KEY}:${i}`);
}

/** Longer than a batch takes with all its attempts. */
const REBUILD_TTL_MS = 5 * 60_000;

const COMPLETE = `complete ${RECORD_FORMAT}`;
const STATES: readonly (string | null)[] = ["rebuilding", COMPLETE];

export function createProjection(redis: Pick<RequestRedis, "run" | "isCluster">): Projection {
  const keys = markerKeys(redis.isCluster);

  /** Works on each key. @returns whether all results are the expected one */
  async function each<T>(work: (client: RedisClient, key: string) => Promise<T>, expected: T) {
    const results = await redis.run((client) => Promise.all(keys.map((key) => work(client, key))));
    return results.every((result) => result === expected);
  }

  return {
    isLost: async () => !(await each(async (client, key) => STATES.includes(await client.get(key)), true)),
    async beginRebuild() {
      await each((client, key) => client.set(key, "rebuilding", "PX", REBUILD_TTL_MS), "OK");
    },
    continueRebuild: () => each((client, key) => client.set(key, "rebuilding", "PX", REBUILD_TTL_MS, "XX"), "OK"),
    endRebuild: () => each((client, key) => client.set(key, COMPLETE, "XX"), "OK"),
  };
}
