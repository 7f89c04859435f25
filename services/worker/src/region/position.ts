import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import { parseJson } from "@tapthru/runtime/unreadable";
import * as z from "zod/mini";

/** All changes that are visible in the snapshot are in the region's Redis. */
const Position = z.object({
  /** In Postgres's text format. */
  snapshot: z.string().check(z.regex(/^\d+:\d+:/)),
  /** Unix milliseconds by Postgres's clock, when the snapshot was taken. */
  readAt: z.number(),
});
export type Position = z.infer<typeof Position>;

/** Throws RedisUnavailableError. */
export interface PositionStore {
  /** Null if Redis has none, or an invalid one. */
  read(): Promise<Position | null>;
  write(position: Position): Promise<void>;
}

/** No key of a redirect record. */
const KEY = "region:outbox-position";

/** The position is in the Redis that it describes, so both are lost, or restored to an earlier state, together. */
export function createPositionStore(redis: Pick<RequestRedis, "run">): PositionStore {
  return {
    async read() {
      const text = await redis.run((client) => client.get(KEY));
      const parsed = z.safeParse(Position, text === null ? null : parseJson(text));
      return parsed.success ? parsed.data : null;
    },
    async write(position) {
      await redis.run((client) => client.set(KEY, JSON.stringify(position)));
    },
  };
}
