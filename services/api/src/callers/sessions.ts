import { hash, randomBytes } from "node:crypto";
import type { Logger } from "@tapthru/core/platform/logger";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from "@tapthru/proto/rules/limits";
import type Koa from "koa";
import type { Context } from "koa";
import { createSession } from "koa-session";
import type { AccountChecks } from "../accounts/account-checks.ts";
import { cookieName } from "../http/browser-security.ts";
import type { NewSession, SessionData, SessionStore, StoredSession } from "./session-store.ts";

export interface LiveSession extends SessionData {
  id: string;
}

/** All methods throw RedisUnavailableError. The caller keeps their cookie in that case. */
export type Sessions = ReturnType<typeof createSessions>;

/** Minimum interval between writes of a session in use. Its idle time starts with the last write. */
const TOUCH_INTERVAL_MS = 60_000;
const USER_AGENT_MAX_LENGTH = 200;

type KoaSession = Partial<StoredSession> & {
  readonly isNew: boolean;
  readonly externalKey: string;
  save(): Promise<void>;
  regenerate(): Promise<void>;
  manuallyCommit(): Promise<void>;
};

class SessionEndedError extends Error {}

/** Sessions whose signed cookie holds only an id. `app.keys` sign the cookies. */
export function createSessions(
  app: Koa,
  options: {
    sessionStore: SessionStore;
    accountChecks: Pick<AccountChecks, "hasLoginEnded">;
    publicBaseUrl: string;
    logger: Logger;
  },
) {
  const { sessionStore: store, accountChecks, publicBaseUrl, logger } = options;
  // Ids that koa-session generated during a request and that are not stored yet.
  const newIds = new WeakMap<Context, string>();

  const key = cookieName("sid", publicBaseUrl);
  const load = createSession(
    {
      key,
      maxAge: SESSION_IDLE_MS,
      httpOnly: true,
      sameSite: "lax",
      autoCommit: false,
      genid(ctx: Context) {
        const id = randomBytes(32).toString("base64url");
        newIds.set(ctx, id);
        return id;
      },
      valid: (_ctx, session: StoredSession) => msUntilAbsoluteExpiry(session) > 0,
      store: {
        get: (id, _maxAge, { ctx }) => store.find(publicId(id), ctx.state.redisBudget),
        async set(id, session: StoredSession, maxAge, { ctx }) {
          const ttlMs = Math.min(maxAge, msUntilAbsoluteExpiry(session));
          const write = newIds.get(ctx) === id ? store.create : store.update;
          const exists = await write(publicId(id), session, ttlMs, ctx.state.redisBudget);
          if (exists === false) throw new SessionEndedError();
        },
        async destroy(id, { ctx }) {
          if (newIds.get(ctx) !== id) await store.end(publicId(id), ctx.state.redisBudget);
        },
      },
    },
    app,
  );

  async function endIfLoginEnded(session: LiveSession): Promise<void> {
    try {
      if (await accountChecks.hasLoginEnded(session)) await bestEffort(store.end(session.id));
    } catch (err) {
      logger.error({ event: "session_end_failed", err }, "failed to end a session");
    }
  }

  return {
    /** Returns the API key or the session id of a request, unchecked; null if it has none. */
    credentialOf: ({ headers, cookies }: Context): string | null =>
      headers.authorization ?? headers["x-api-key"]?.toString() ?? cookies.get(key, { signed: false }) ?? null,

    /** Returns the caller's session. Queries Redis only for a correctly signed cookie. */
    async read(ctx: Context): Promise<LiveSession | null> {
      await load(ctx, async () => {});
      const session: KoaSession = ctx.session;
      if (session.isNew) return null;
      const live = { ...(session as StoredSession), id: publicId(session.externalKey) };
      if (Date.now() - live.lastSeenAt < TOUCH_INTERVAL_MS) return live;
      session.lastSeenAt = Date.now();
      try {
        await session.save();
      } catch (error) {
        if (error instanceof SessionEndedError) return null;
        // When its memory is full, Redis rejects writes but still reads sessions.
        if (!(error instanceof RedisUnavailableError)) throw error;
      }
      // In parallel with the request: while the provider is slow, sessions remain valid.
      void endIfLoginEnded(live);
      return live;
    },

    /** Creates a session with a new id and ends the previous one. Call `read` first. */
    async start(ctx: Context, user: NewSession): Promise<void> {
      const session: KoaSession = ctx.session;
      const now = Date.now();
      const userAgent = ctx.get("User-Agent").slice(0, USER_AGENT_MAX_LENGTH) || null;
      Object.assign(session, { createdAt: now, ...user, lastSeenAt: now, userAgent });
      await session.regenerate();
    },

    /** Ends the session that `read` returned, if any. */
    async end(ctx: Context): Promise<void> {
      const session: KoaSession = ctx.session;
      if (session.isNew) return;
      ctx.session = null;
      await session.manuallyCommit();
    },
  };
}

function msUntilAbsoluteExpiry({ createdAt }: SessionData): number {
  return createdAt + SESSION_ABSOLUTE_MS - Date.now();
}

/** Hashed, so that read access to Redis reveals no cookie. */
function publicId(id: string): string {
  return hash("sha256", id, "base64url").slice(0, 22);
}
