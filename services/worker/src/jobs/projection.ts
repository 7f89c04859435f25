import type { RedisClient } from "@tapthru/core/platform/redis/client";
import { RECORD_FORMAT } from "@tapthru/core/platform/redis/redirect-store";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { PROJECTION_KEY } from "@tapthru/proto/redirect/record";

/** A marker in Redis that is lost together with the redirect records. All calls throw RedisUnavailableError. */
export interface Projection {
  /** Also true if a rebuild did not end, or a release of other fields made the last one. */
  isLost(): Promise<boolean>;
  /** @returns the id of the last link that an earlier rebuild has written; 0 if Redis was emptied since */
  beginRebuild(): Promise<number>;
  /** @returns false if Redis was emptied since the rebuild began */
  continueRebuild(lastId: number): Promise<boolean>;
  /** Does nothing if Redis was emptied since the rebuild began. */
  endRebuild(): Promise<void>;
}

/** Enough for up to 20 masters: each must hold a marker, because it may lose its records alone. */
const MARKERS_OF_CLUSTER = 100;

export function markerKeys(isCluster: boolean): string[] {
  if (!isCluster) return [PROJECTION_KEY];
  return Array.from({ length: MARKERS_OF_CLUSTER }, (_, i) => `${PROJECTION_KEY}:${i}`);
}

const COMPLETE = `complete ${RECORD_FORMAT}`;
const REBUILDING = `rebuilding ${RECORD_FORMAT} `;

const writtenUntil = (state: string | null) =>
  state?.startsWith(REBUILDING) ? Number(state.slice(REBUILDING.length)) : 0;

export function createProjection(redis: Pick<RequestRedis, "run" | "isCluster">): Projection {
  const keys = markerKeys(redis.isCluster);
  const each = <T>(work: (client: RedisClient, key: string) => Promise<T>) =>
    redis.run((client) => Promise.all(keys.map((key) => work(client, key))));

  return {
    isLost: async () => (await each((client, key) => client.get(key))).some((state) => state !== COMPLETE),
    async beginRebuild() {
      const lastId = Math.min(...(await each((client, key) => client.get(key))).map(writtenUntil));
      if (lastId === 0) await each((client, key) => client.set(key, `${REBUILDING}0`));
      return lastId;
    },
    async continueRebuild(lastId) {
      const set = await each((client, key) => client.set(key, REBUILDING + lastId, "XX"));
      return set.every((reply) => reply === "OK");
    },
    async endRebuild() {
      await each((client, key) => client.set(key, COMPLETE, "XX"));
    },
  };
}
