import { RedirectRecord, redirectKey } from "@tapthru/proto/redirect/record";
import * as z from "zod/mini";
import type { Logger } from "./logger.ts";
import type { RequestRedis } from "./redis.ts";
import type { RedisBudget } from "./redis-budget.ts";

export interface RedirectStore {
  /** Null for a code that Redis does not know, and for a record that is none of ours. */
  get(shortCode: string, budget?: RedisBudget): Promise<RedirectRecord | null>;
  /** Keeps the newer of this record and the one that is there. */
  put(shortCode: string, record: RedirectRecord, budget?: RedisBudget): Promise<void>;
}

const HOUR_MS = 3_600_000;
const LIVE_TTL_MS = 30 * 24 * HOUR_MS;
const TOMBSTONE_TTL_MS = HOUR_MS;

/** Of equal revisions a tombstone stays; a key that holds something else is overwritten. */
const PUT_UNLESS_OLDER = `
  local text = redis.pcall("GET", KEYS[1])
  local is_json, current = pcall(cjson.decode, text)
  if is_json and type(current) == "table" and type(current.revision) == "number" then
    local revision = tonumber(ARGV[2])
    if current.revision > revision then return end
    if current.revision == revision and current.state == "gone" then return end
  end
  redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[3])
`;

/** The redirect records in Redis. Both calls throw RedisAwayError. */
export function createRedirectStore(redis: RequestRedis, logger: Logger): RedirectStore {
  let isGarbageReported = false;

  function parse(text: string): RedirectRecord | null {
    const parsed = z.safeParse(RedirectRecord, jsonOrNull(text));
    if (parsed.success) return parsed.data;
    if (!isGarbageReported) logger.error("Redis holds redirect records that are none");
    isGarbageReported = true;
    return null;
  }

  return {
    async get(shortCode, budget) {
      const text = await redis.run((client) => client.get(redirectKey(shortCode)), budget);
      return text === null ? null : parse(text);
    },
    async put(shortCode, record, budget) {
      const text = JSON.stringify(record);
      const ttl = redirectTtlMs(record, Date.now());
      await redis.run(
        (client) =>
          client.eval(PUT_UNLESS_OLDER, 1, redirectKey(shortCode), text, record.revision, ttl),
        budget,
      );
    },
  };
}

/** An expiring link's record says for an hour more that the link is gone. */
export function redirectTtlMs(record: RedirectRecord, now: number): number {
  if (record.state === "gone") return TOMBSTONE_TTL_MS;
  if (record.expiresAt === null) return LIVE_TTL_MS;
  const untilExpiry = Math.max(0, record.expiresAt - now);
  return Math.min(untilExpiry + TOMBSTONE_TTL_MS, LIVE_TTL_MS);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
