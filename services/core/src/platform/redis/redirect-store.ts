import { hash } from "node:crypto";
import {
  REDIRECT_CHANGES_CHANNEL,
  REDIRECTS_UP_TO_DATE_KEY,
  RedirectRecord,
  redirectKey,
} from "@tapthru/proto/redirect/record";
import { REDIRECTS_UP_TO_DATE_TTL_MS } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import type { Logger } from "../logger.ts";
import { parseJson } from "../parse-json.ts";
import { logInvalidRecord } from "../unreadable.ts";
import type { RedisBudget } from "./budget.ts";
import { deleteKeys } from "./client.ts";
import type { RequestRedis } from "./redis.ts";

/** Changes with the fields of records. What a release of other fields wrote may lack some, so it is read from Postgres again. */
const fields = JSON.stringify(z.toJSONSchema(RedirectRecord, { unrepresentable: "any" }));
export const RECORD_FORMAT = hash("sha256", fields, "base64url").slice(0, 8);

export type StoredRecord = RedirectRecord & { isOfOtherRelease?: true };

const TOMBSTONE_LIFETIME_MS = 3_600_000;

export interface RedirectStore {
  /** Null for an unknown code and for an invalid record. */
  get(shortCode: string): Promise<StoredRecord | null>;
  /** Gets the records of several codes with one command; null for those whose node of a cluster is unavailable. */
  getMany(shortCodes: readonly string[]): Promise<readonly (StoredRecord | null)[]>;
  /** Keeps the newer of this record and the stored one. */
  put(shortCode: string, record: RedirectRecord): Promise<void>;
  /** Like `put`, for several codes. If it throws, some records may have been stored. */
  putMany(records: readonly CodeRecord[], budget?: RedisBudget): Promise<void>;
  /** Like `putMany`, for records that Redis lost. Publishes nothing, because the records did not change. */
  restoreMany(records: readonly CodeRecord[]): Promise<void>;
  deleteMany(shortCodes: readonly string[]): Promise<void>;
  /** Stores that all changes are projected: no record is older than Postgres. */
  markUpToDate(): Promise<void>;
  /** Milliseconds since the last `markUpToDate`, by the clock of Redis; null beyond `REDIRECTS_UP_TO_DATE_TTL_MS`. */
  timeSinceUpToDate(): Promise<number | null>;
}

export interface CodeRecord {
  shortCode: string;
  record: RedirectRecord;
}

const LIVE_TTL_MS = 30 * 24 * 3_600_000;

/** Redis is blocked while it stores a batch: well below one millisecond. */
const RECORDS_PER_CALL = 50;

/**
 * Keeps a tombstone of an equal revision; overwrites an invalid value. First revisions are not published: they
 * replace nothing.
 */
const PUT_UNLESS_OLDER = `
  local function is_kept(key, revision)
    local is_json, current = pcall(cjson.decode, redis.pcall("GET", key))
    if not is_json or type(current) ~= "table" or type(current.revision) ~= "number" then
      return false
    end
    return current.revision > revision
      or (current.revision == revision and current.state == "gone")
  end
  local is_announced = ARGV[#ARGV] == "announced"
  for i, key in ipairs(KEYS) do
    local text, revision, ttl = ARGV[3 * i - 2], tonumber(ARGV[3 * i - 1]), ARGV[3 * i]
    if not is_kept(key, revision) then
      redis.call("SET", key, text, "PX", ttl)
      if is_announced and revision > 1 then
        redis.call("PUBLISH", "${REDIRECT_CHANGES_CHANNEL}", key:sub(${redirectKey("").length + 1}) .. " " .. ARGV[3 * i - 1])
      end
    end
  end
`;

/** The redirect records in Redis. All calls throw RedisUnavailableError. */
export function createRedirectStore(redis: RequestRedis, logger: Logger): RedirectStore {
  function parse(shortCode: string, text: string | null): StoredRecord | null {
    if (text === null) return null;
    const stored = parseJson(text);
    const { data, error } = z.safeParse(RedirectRecord, stored);
    if (error) {
      const ids = { shortCode };
      logInvalidRecord(logger, "invalid_redirect_record", "redis", ids, error.issues);
    }
    if (data === undefined) return null;
    return Object(stored).format === RECORD_FORMAT ? data : { ...data, isOfOtherRelease: true };
  }

  async function readTogether(shortCodes: readonly string[]) {
    const keys = shortCodes.map(redirectKey);
    const texts = await redis.run((client) => client.mget(keys));
    return shortCodes.map((shortCode, i) => parse(shortCode, texts[i] ?? null));
  }

  /** Each node of a cluster may be unavailable on its own. */
  async function readEach(shortCodes: readonly string[]) {
    const reads = await Promise.allSettled(shortCodes.map((code) => readTogether([code])));
    const failed = reads.filter((read) => read.status === "rejected");
    if (failed[0] && failed.length === reads.length) throw failed[0].reason;
    return reads.map((read) => (read.status === "fulfilled" ? (read.value[0] ?? null) : null));
  }

  const getMany = redis.isCluster ? readEach : readTogether;

  async function write(
    records: readonly CodeRecord[],
    mode: "announced" | "restored",
    budget?: RedisBudget,
  ): Promise<void> {
    const now = Date.now();
    const calls: ReturnType<typeof putCall>[] = [];
    const perCall = redis.isCluster ? 1 : RECORDS_PER_CALL;
    for (let i = 0; i < records.length; i += perCall) {
      calls.push(putCall(records.slice(i, i + perCall), mode, now));
    }
    if (calls.length === 0) return;
    await redis.run((client) => Promise.all(calls.map((call) => client.eval(PUT_UNLESS_OLDER, ...call))), budget);
  }

  return {
    async get(shortCode) {
      const [record = null] = await getMany([shortCode]);
      return record;
    },
    getMany,
    put: (shortCode, record) => write([{ shortCode, record }], "announced"),
    putMany: (records, budget) => write(records, "announced", budget),
    restoreMany: (records) => write(records, "restored"),
    async deleteMany(shortCodes) {
      if (shortCodes.length === 0) return;
      await redis.run((client) => deleteKeys(client, shortCodes.map(redirectKey)));
    },
    async markUpToDate() {
      await redis.run((client) => client.set(REDIRECTS_UP_TO_DATE_KEY, "", "PX", REDIRECTS_UP_TO_DATE_TTL_MS));
    },
    async timeSinceUpToDate() {
      const remainingMs = await redis.run((client) => client.pttl(REDIRECTS_UP_TO_DATE_KEY));
      return remainingMs < 0 ? null : REDIRECTS_UP_TO_DATE_TTL_MS - remainingMs;
    },
  };
}

function putCall(records: readonly CodeRecord[], mode: string, now: number): [keys: number, ...string[]] {
  const keys = records.map(({ shortCode }) => redirectKey(shortCode));
  const values = records.flatMap(({ record }) => [
    JSON.stringify({ ...record, format: RECORD_FORMAT }, (_key, value) => value ?? undefined),
    String(record.revision),
    String(redirectTtlMs(record, now)),
  ]);
  return [keys.length, ...keys, ...values, mode];
}

/** The record of an expired link is kept as long as a tombstone. */
export function redirectTtlMs(record: RedirectRecord, now: number): number {
  if (record.state === "gone") return TOMBSTONE_LIFETIME_MS;
  if (record.state === "owner" || record.expiresAt === null) return LIVE_TTL_MS;
  const untilExpiry = Math.max(0, record.expiresAt - now);
  return Math.min(untilExpiry + TOMBSTONE_LIFETIME_MS, LIVE_TTL_MS);
}
