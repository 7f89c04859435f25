import type { Router } from "@koa/router";
import { endAllSessions, endSession, listSessions } from "@tapthru/proto/http/sessions";
import type { IdentityProvider } from "../accounts/identity.ts";
import { ApiError } from "../errors.ts";
import { type Guard, mount } from "../http/mount.ts";
import type { SessionStore } from "./session-store.ts";
import type { LiveSession } from "./sessions.ts";
import { listUserSessions } from "./user-sessions.ts";

export interface SessionRoutesDependencies {
  sessionStore: Pick<SessionStore, "list" | "end">;
  identity: Pick<IdentityProvider, "revoke">;
  requiredSession: Guard<LiveSession>;
}

export function sessionRoutes(router: Router, deps: SessionRoutesDependencies) {
  const { sessionStore, identity, requiredSession } = deps;

  mount(router, listSessions, requiredSession, async (ctx, { caller }) => {
    const sessions = await listUserSessions(sessionStore, caller, ctx.state.redisBudget);
    const body = sessions
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

  mount(router, endAllSessions, requiredSession, async (ctx, { caller }) => {
    const { redisBudget, whileWaiting } = ctx.state;
    // Revoke first. Otherwise an open browser could start a new session at once.
    const outcome = await whileWaiting(() => identity.revoke(caller.firebaseUid));
    if (outcome === "unavailable") throw new ApiError("unavailable");
    const sessions = await listUserSessions(sessionStore, caller, redisBudget);
    await Promise.all(sessions.map(({ id }) => sessionStore.end(id, redisBudget)));
    return { status: 200, body: { ended: sessions.length } };
  });

  mount(router, endSession, requiredSession, async (ctx, { caller, params }) => {
    const { redisBudget } = ctx.state;
    const sessions = await listUserSessions(sessionStore, caller, redisBudget);
    if (!sessions.some(({ id }) => id === params.id)) {
      throw new ApiError("not-found");
    }
    await sessionStore.end(params.id, redisBudget);
    return { status: 200, body: {} };
  });
}
