import { parseJson } from "@tapthru/core/platform/parse-json";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { deleteKeys, type RedisClient, readKeys } from "@tapthru/core/platform/redis/client";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { SESSION_ABSOLUTE_MS } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import type { UserKey } from "./users.ts";

/** Times are Unix milliseconds. */
const SessionData = z.object({
  userId: z.int(),
  firebaseUid: z.string(),
  /** Unix seconds of the login with the password. */
  authTime: z.int(),
  createdAt: z.int(),
  lastSeenAt: z.int(),
  userAgent: z.nullable(z.string()),
  /** At the built-in provider, where the login ends with the session. */
  loginId: z.optional(z.string()),
});
export type SessionData = z.infer<typeof SessionData>;

/** Values of a new session. `createdAt` is when its login began, by default now. */
export type NewSession = UserKey & Pick<SessionData, "authTime"> & Partial<Pick<SessionData, "createdAt" | "loginId">>;

type ListedSession = SessionData & { id: string };

const StoredSession = z.extend(SessionData, { _expire: z.int(), _maxAge: z.int() });
export type StoredSession = z.infer<typeof StoredSession>;

/** A new session beyond this number ends the oldest one. */
const SESSIONS_PER_USER = 50;

const sessionKey = (id: string) => `session:${id}`;
const indexKey = (userId: number) => `user-sessions:${userId}`;

/** Sessions in Redis by public id. All methods throw RedisUnavailableError. */
export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(redis: Pick<RequestRedis, "run">) {
  const store = {
    async find(id: string, budget?: RedisBudget): Promise<StoredSession | null> {
      return parse(await redis.run((client) => client.get(sessionKey(id)), budget));
    },

    /** @param id a new one */
    async create(id: string, session: StoredSession, ttlMs: number, budget?: RedisBudget) {
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
        const ids = surplus.map((oldest) => oldest.id);
        if (ids.length === 0) return;
        await deleteKeys(client, ids.map(sessionKey));
        await client.zrem(indexKey(userId), ids);
      }, budget);
    },

    /** @returns false if the session has ended, which a late write therefore cannot restore */
    async update(id: string, session: StoredSession, ttlMs: number) {
      const outcome = await redis.run((client) =>
        client.set(sessionKey(id), JSON.stringify(session), "PX", ttlMs, "XX"),
      );
      return outcome === "OK";
    },

    async end(id: string, budget?: RedisBudget): Promise<void> {
      await redis.run(async (client) => {
        const session = parse(await client.getdel(sessionKey(id)));
        if (session) await client.zrem(indexKey(session.userId), id);
      }, budget);
    },

    /** Rejects if sessions cannot be stored, for work that has effects before it opens one. */
    async check(budget?: RedisBudget): Promise<void> {
      await redis.run((client) => client.set(sessionKey("check"), "", "PX", 1), budget);
    },

    /** The sessions of a user. Excludes those of an earlier user with the same id, before the database was lost. */
    async list({ userId, firebaseUid }: UserKey, budget?: RedisBudget): Promise<ListedSession[]> {
      const sessions = await redis.run((client) => liveSessions(client, userId), budget);
      return sessions.filter((session) => session.firebaseUid === firebaseUid);
    },

    /** Ends all sessions of a user. @returns how many */
    async endAll(user: UserKey, budget?: RedisBudget): Promise<number> {
      const sessions = await store.list(user, budget);
      await Promise.all(sessions.map(({ id }) => store.end(id, budget)));
      return sessions.length;
    },
  };
  return store;
}

async function liveSessions(client: RedisClient, userId: number): Promise<ListedSession[]> {
  const ids = await client.zrange(indexKey(userId), 0, "-1");
  if (ids.length === 0) return [];
  const texts = await readKeys(client, ids.map(sessionKey));
  const ended = ids.filter((_, i) => texts[i] === null);
  if (ended.length > 0) await client.zrem(indexKey(userId), ended);
  return ids.flatMap((id, i) => {
    const session = parse(texts[i] ?? null);
    return session?.userId === userId ? [{ ...session, id }] : [];
  });
}

/** @returns null for invalid data */
function parse(text: string | null): StoredSession | null {
  return text === null ? null : (StoredSession.safeParse(parseJson(text)).data ?? null);
}
