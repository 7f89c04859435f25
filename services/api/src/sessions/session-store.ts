import { SESSION_ABSOLUTE_MS, TOKEN_RECHECK_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import type { RequestRedis } from "@tapthru/runtime/redis";
import type { RedisBudget } from "@tapthru/runtime/redis-budget";
import * as z from "zod/mini";

/** Times are Unix milliseconds. */
const SessionData = z.object({
  userId: z.int(),
  firebaseUid: z.string(),
  /** Unix seconds at which the person gave the password. */
  authTime: z.int(),
  createdAt: z.int(),
  lastSeenAt: z.int(),
  userAgent: z.nullable(z.string()),
});
export type SessionData = z.infer<typeof SessionData>;

/** With what koa-session keeps of its own. */
const StoredSession = z.extend(SessionData, { _expire: z.int(), _maxAge: z.int() });
export type StoredSession = z.infer<typeof StoredSession>;

/** While a mark of its end stands, no write that comes late brings a session back. */
const ENDED_MARK_MS = 60 * 60 * 1_000;

const sessionKey = (id: string) => `session:${id}`;
const endedKey = (id: string) => `session-ended:${id}`;
const checkedKey = (id: string) => `session-checked:${id}`;
const indexKey = (userId: number) => `user-sessions:${userId}`;

/** Sessions in Redis, by an id that is no secret. All calls throw RedisAwayError. */
export interface SessionStore {
  find(id: string, budget?: RedisBudget): Promise<StoredSession | null>;
  create(id: string, session: StoredSession, ttlMs: number, budget?: RedisBudget): Promise<void>;
  /** False when it has ended meanwhile; then nothing is written. */
  update(id: string, session: StoredSession, ttlMs: number, budget?: RedisBudget): Promise<boolean>;
  end(id: string, budget?: RedisBudget): Promise<void>;
  list(userId: number, budget?: RedisBudget): Promise<(SessionData & { id: string })[]>;
  /** True for one caller every 15 minutes. */
  claimCheck(id: string): Promise<boolean>;
  /** For one who could not carry the check out. */
  releaseCheck(id: string): Promise<void>;
}

export function createSessionStore(redis: Pick<RequestRedis, "run">): SessionStore {
  return {
    async find(id, budget) {
      const [session, ended] = await redis.run(
        (client) => client.mget(sessionKey(id), endedKey(id)),
        budget,
      );
      return session && !ended ? parse(session) : null;
    },

    async create(id, session, ttlMs, budget) {
      const index = indexKey(session.userId);
      await redis.run(
        (client) =>
          Promise.all([
            client.set(sessionKey(id), JSON.stringify(session), "PX", ttlMs, "NX"),
            client.sadd(index, id),
            client.pexpire(index, SESSION_ABSOLUTE_MS),
          ]),
        budget,
      );
    },

    async update(id, session, ttlMs, budget) {
      const outcome = await redis.run(
        (client) => client.set(sessionKey(id), JSON.stringify(session), "PX", ttlMs, "XX"),
        budget,
      );
      return outcome === "OK";
    },

    async end(id, budget) {
      await redis.run(async (client) => {
        // A Redis that is full refuses the mark, but not the end.
        const marking = client.set(endedKey(id), "1", "PX", ENDED_MARK_MS).catch(() => {});
        await client.del(sessionKey(id), checkedKey(id));
        await marking;
      }, budget);
    },

    list: (userId, budget) =>
      redis.run(async (client) => {
        const ids = await client.smembers(indexKey(userId));
        if (ids.length === 0) return [];
        const [texts, ends] = await Promise.all([
          client.mget(ids.map(sessionKey)),
          client.mget(ids.map(endedKey)),
        ]);
        const sessions = ids.flatMap((id, i) => {
          const session = ends[i] ? null : parse(texts[i] ?? null);
          return session?.userId === userId ? [{ ...session, id }] : [];
        });
        const lost = ids.filter((_, i) => texts[i] === null);
        if (lost.length > 0) await client.srem(indexKey(userId), lost);
        return sessions;
      }, budget),

    async claimCheck(id) {
      const outcome = await redis.run((client) =>
        client.set(checkedKey(id), "1", "PX", TOKEN_RECHECK_INTERVAL_MS, "NX"),
      );
      return outcome === "OK";
    },

    async releaseCheck(id) {
      await redis.run((client) => client.del(checkedKey(id)));
    },
  };
}

function parse(text: string | null): StoredSession | null {
  if (text === null) return null;
  const parsed = z.safeParse(StoredSession, JSON.parse(text));
  return parsed.success ? parsed.data : null;
}
