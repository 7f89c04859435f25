import type { RedisClient } from "@tapthru/core/platform/redis/client";
import { RECORD_FORMAT } from "@tapthru/core/platform/redis/redirect-store";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { PROJECTION_KEY } from "@tapthru/proto/redirect/record";

/** A marker in Redis that is lost together with the redirect records. All calls throw RedisUnavailableError. */
export interface Projection {
  /** Also true if a rebuild did not end, or a release of other fields made the last one. */
  isLost(): Promise<boolean>;
  beginRebuild(): Promise<void>;
  /** Does nothing if Redis was emptied since the rebuild began. */
  endRebuild(): Promise<void>;
}

/** Enough for up to 20 masters: each must hold a marker, because it may lose its records alone. */
const MARKERS_OF_CLUSTER = 100;

/** The keys of the marker, spread over the slots of a cluster. */
export function markerKeys(isCluster: boolean): string[] {
  if (!isCluster) return [PROJECTION_KEY];
  return Array.from({ length: MARKERS_OF_CLUSTER }, (_, i) => `${PROJECTION_KEY}:${i}`);
}

const COMPLETE = `complete ${RECORD_FORMAT}`;

export function createProjection(redis: Pick<RequestRedis, "run" | "isCluster">): Projection {
  const keys = markerKeys(redis.isCluster);
  const each = <T>(work: (client: RedisClient, key: string) => Promise<T>) =>
    redis.run((client) => Promise.all(keys.map((key) => work(client, key))));

  return {
    isLost: async () => (await each((client, key) => client.get(key))).some((state) => state !== COMPLETE),
    async beginRebuild() {
      await each((client, key) => client.set(key, "rebuilding"));
    },
    async endRebuild() {
      await each((client, key) => client.set(key, COMPLETE, "XX"));
    },
  };
}
