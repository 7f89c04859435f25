import { MarkedPosition, REDIRECTS_UP_TO_DATE_KEY } from "@tapthru/proto/redirect/record";
import { REDIRECTS_UP_TO_DATE_TTL_MS } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import type { PrimaryPosition } from "../postgres/wal-position.ts";
import { parseJson } from "../unreadable.ts";
import type { RequestRedis } from "./redis.ts";

export interface UpToDateMark {
  /** Milliseconds since Redis was marked, by its clock. */
  ageMs: number;
  /** Where the primary was at some time before, with the age of that position; null if unknown. */
  primary: MarkedPosition | null;
}

/** All calls throw RedisUnavailableError. */
export interface UpToDateMarkStore {
  /** Stores that all changes are projected: no record is older than Postgres. */
  markUpToDate(primary: PrimaryPosition | null): Promise<void>;
  /** Null if Redis was not marked within `REDIRECTS_UP_TO_DATE_TTL_MS`. */
  upToDateMark(): Promise<UpToDateMark | null>;
}

export function createUpToDateMark(redis: Pick<RequestRedis, "run">): UpToDateMarkStore {
  return {
    async markUpToDate(primary) {
      await redis.run((client) =>
        client.set(REDIRECTS_UP_TO_DATE_KEY, textOf(primary), "PX", REDIRECTS_UP_TO_DATE_TTL_MS),
      );
    },
    async upToDateMark() {
      // If Redis is marked between the two, the new position gets the age of the earlier one, not the other way round.
      const [remainingMs, text] = await redis.run((client) =>
        Promise.all([client.pttl(REDIRECTS_UP_TO_DATE_KEY), client.get(REDIRECTS_UP_TO_DATE_KEY)]),
      );
      if (remainingMs < 0) return null;
      const ageMs = REDIRECTS_UP_TO_DATE_TTL_MS - remainingMs;
      const { data } = z.safeParse(MarkedPosition, text === null ? null : parseJson(text));
      return { ageMs, primary: data ? { ...data, ageMs: data.ageMs + ageMs } : null };
    },
  };
}

function textOf(primary: PrimaryPosition | null): string {
  if (primary === null) return "";
  const { clusterId, position, readAt } = primary;
  const marked: MarkedPosition = { clusterId, position, ageMs: performance.now() - readAt };
  return JSON.stringify(marked);
}
