import { recordAction } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import {
  endAllSessions,
  endSession,
  listSessions,
  replaceSessions,
} from "@tapthru/proto/http/sessions";
import type { IdentityProvider } from "../accounts/identity.ts";
import { identityUnavailable, startSession, verifiedIdentity } from "../accounts/log-in.ts";
import { ApiError } from "../errors.ts";
import { bearerToken } from "../http/bearer-token.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import { deleteKeys } from "../keys/queries.ts";
import type { SessionStore } from "./session-store.ts";
import type { LiveSession, Sessions } from "./sessions.ts";

export interface SessionRoutesDependencies {
  db: Db<"maybeOne" | "query">;
  sessionStore: Pick<SessionStore, "list" | "end" | "endAll">;
  sessions: Pick<Sessions, "start">;
  identity: Pick<IdentityProvider, "revoke" | "verify">;
  /** Counts logins that create a session. */
  loginLimit: RateLimit;
}

export function sessionRoutes(router: ApiRouter, deps: SessionRoutesDependencies) {
  const { db, sessionStore, identity, loginLimit } = deps;

  /** Before sessions are ended: they are not in Postgres. */
  const record = ({ userId }: LiveSession, action: "session.ended" | "sessions.ended") =>
    recordAction(db, { action, objectId: String(userId), object: "", ownerId: userId });

  mount(router, listSessions, async (ctx, { caller }) => {
    const list = await sessionStore.list(caller, ctx.state.redisBudget);
    const body = list
      .sort((one, other) => other.lastSeenAt - one.lastSeenAt)
      .map(({ id, createdAt, lastSeenAt, userAgent }) => ({
        id,
        createdAt: new Date(createdAt).toISOString(),
        lastSeenAt: new Date(lastSeenAt).toISOString(),
        userAgent,
        isCurrent: id === caller.id,
      }));
    return { status: 200, body };
  });

  mount(router, endAllSessions, async (ctx, { caller, query }) => {
    const { redisBudget, whileWaiting } = ctx.state;
    await record(caller, "sessions.ended");
    // Revoke first. Otherwise an open browser could start a new session at once.
    const outcome = await whileWaiting(() => identity.revoke(caller.firebaseUid), {
      mayReject: false,
    });
    if (outcome === "unavailable") throw identityUnavailable();
    if (query.revokesKeys) await deleteKeys(db, caller.userId);
    return { status: 200, body: { ended: await sessionStore.endAll(caller, redisBudget) } };
  });

  mount(router, replaceSessions, async (ctx, { caller, query }) => {
    const { redisBudget, whileWaiting } = ctx.state;
    const { userId, firebaseUid } = caller;
    const { uid, authTime } = await whileWaiting(() =>
      verifiedIdentity(identity, bearerToken(ctx), { checkRevoked: true }),
    );
    if (uid !== firebaseUid) throw new ApiError("not-allowed");
    await loginLimit.countVisitor(ctx, `account:${firebaseUid}`);
    if (query.revokesKeys) await deleteKeys(db, userId);
    const earlier = await sessionStore.list(caller, redisBudget);
    const others = earlier.filter(({ id }) => id !== caller.id);
    if (others.length > 0) await record(caller, "sessions.ended");
    await Promise.all(others.map(({ id }) => sessionStore.end(id, redisBudget)));
    await startSession(deps, ctx, { userId, firebaseUid, authTime });
    return { status: 200, body: { ended: others.length } };
  });

  mount(router, endSession, async (ctx, { caller, params }) => {
    const { redisBudget } = ctx.state;
    const list = await sessionStore.list(caller, redisBudget);
    if (!list.some(({ id }) => id === params.id)) {
      throw new ApiError("not-found");
    }
    await record(caller, "session.ended");
    await sessionStore.end(params.id, redisBudget);
    return { status: 200, body: {} };
  });
}
