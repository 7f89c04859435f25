import { SESSION_ABSOLUTE_MS, TOKEN_RECHECK_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { RedisClient } from "@tapthru/runtime/redis/client";
import { deleteKeys, readKeys } from "@tapthru/runtime/redis/client";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import { parseJson } from "@tapthru/runtime/unreadable";
import * as z from "zod/mini";

/** Times are Unix milliseconds. */
const SessionData = z.object({
  userId: z.int(),
  firebaseUid: z.string(),
  /** Unix seconds of the login with the password. */
  authTime: z.int(),
  createdAt: z.int(),
  lastSeenAt: z.int(),
  userAgent: z.nullable(z.string()),
});
export type SessionData = z.infer<typeof SessionData>;

type ListedSession = SessionData & { id: string };

/** Includes the fields of koa-session. */
const StoredSession = z.extend(SessionData, { _expire: z.int(), _maxAge: z.int() });
export type StoredSession = z.infer<typeof StoredSession>;

/** How long a session is marked as ended, so that a late write cannot restore it. */
const ENDED_MARKER_MS = 60 * 60 * 1_000;

/** A new session beyond this number ends the oldest one. */
const SESSIONS_PER_USER = 50;

const sessionKey = (id: string) => `session:${id}`;
const endedKey = (id: string) => `session-ended:${id}`;
const checkedKey = (id: string) => `session-checked:${id}`;
const indexKey = (userId: number) => `user-sessions:${userId}`;

/** Sessions in Redis by public id. All methods throw RedisUnavailableError. */
export interface SessionStore {
  find(id: string, budget?: RedisBudget): Promise<StoredSession | null>;
  create(id: string, session: StoredSession, ttlMs: number, budget?: RedisBudget): Promise<void>;
  /** @returns false, without writing, if the session has ended */
  update(id: string, session: StoredSession, ttlMs: number, budget?: RedisBudget): Promise<boolean>;
  /** Ends the session. A late write cannot restore it. */
  end(id: string, budget?: RedisBudget): Promise<void>;
  list(userId: number, budget?: RedisBudget): Promise<ListedSession[]>;
  /** @returns true for one caller every 15 minutes, who must check the login */
  claimCheck(id: string): Promise<boolean>;
  /** Allows another caller to check, after a failed check. */
  releaseCheck(id: string): Promise<void>;
}

export function createSessionStore(redis: Pick<RequestRedis, "run">): SessionStore {
  return {
    async find(id, budget) {
      const [session, ended] = await redis.run(
        (client) => readKeys(client, [sessionKey(id), endedKey(id)]),
        budget,
      );
      return session && !ended ? parse(session) : null;
    },

    async create(id, session, ttlMs, budget) {
      const { userId, createdAt } = session;
      await redis.run(async (client) => {
        // First, because `liveSessions` removes an entry without a session. In a cluster they are on different nodes.
        await client.set(sessionKey(id), JSON.stringify(session), "PX", ttlMs, "NX");
        const [, count] = await Promise.all([
          client.zadd(indexKey(userId), createdAt, id),
          client.zcard(indexKey(userId)),
          client.pexpire(indexKey(userId), SESSION_ABSOLUTE_MS),
        ]);
        if (count <= SESSIONS_PER_USER) return;
        const surplus = (await liveSessions(client, userId)).slice(0, -SESSIONS_PER_USER);
        await removeSessions(
          client,
          userId,
          surplus.map((oldest) => oldest.id),
        );
      }, budget);
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
        // When its memory is full, Redis rejects the marker but still deletes the session.
        const marker = client.set(endedKey(id), "1", "PX", ENDED_MARKER_MS).catch(() => {});
        const session = parse(await client.getdel(sessionKey(id)));
        if (session) await removeSessions(client, session.userId, [id]);
        await marker;
      }, budget);
    },

    list: (userId, budget) => redis.run((client) => liveSessions(client, userId), budget),

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

/** The live sessions of a user, oldest first. */
async function liveSessions(client: RedisClient, userId: number): Promise<ListedSession[]> {
  const ids = await client.zrange(indexKey(userId), 0, "-1");
  if (ids.length === 0) return [];
  const [texts, ends] = await Promise.all([
    readKeys(client, ids.map(sessionKey)),
    readKeys(client, ids.map(endedKey)),
  ]);
  await removeSessions(
    client,
    userId,
    ids.filter((_, i) => texts[i] === null),
  );
  return ids.flatMap((id, i) => {
    const session = ends[i] ? null : parse(texts[i] ?? null);
    return session?.userId === userId ? [{ ...session, id }] : [];
  });
}

async function removeSessions(client: RedisClient, userId: number, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await Promise.all([
    deleteKeys(client, [...ids.map(sessionKey), ...ids.map(checkedKey)]),
    client.zrem(indexKey(userId), ids),
  ]);
}

/** @returns null for invalid data */
function parse(text: string | null): StoredSession | null {
  return text === null ? null : (StoredSession.safeParse(parseJson(text)).data ?? null);
}
