import type { Router } from "@koa/router";
import { endAllSessions, endSession, listSessions } from "@tapthru/proto/http/sessions";
import type { IdentityProvider } from "../accounts/identity.ts";
import { ApiError } from "../errors.ts";
import { type Guard, mount } from "../http/mount.ts";
import { ownSessions } from "./own-sessions.ts";
import type { SessionStore } from "./session-store.ts";
import type { LiveSession } from "./sessions.ts";

export interface SessionRoutesNeeds {
  sessionStore: Pick<SessionStore, "list" | "end">;
  identity: Pick<IdentityProvider, "revoke">;
  signedIn: Guard<LiveSession>;
}

export function sessionRoutes(router: Router, needs: SessionRoutesNeeds) {
  const { sessionStore, identity, signedIn } = needs;

  mount(router, listSessions, signedIn, async (ctx, { caller }) => {
    const sessions = await ownSessions(sessionStore, caller, ctx.state.redisBudget);
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

  mount(router, endAllSessions, signedIn, async (ctx, { caller }) => {
    const { redisBudget } = ctx.state;
    // First: else a browser that is open would have a new session at once.
    if ((await identity.revoke(caller.firebaseUid)) === "unavailable") {
      throw new ApiError("unavailable");
    }
    const sessions = await ownSessions(sessionStore, caller, redisBudget);
    await Promise.all(sessions.map(({ id }) => sessionStore.end(id, redisBudget)));
    return { status: 200, body: { ended: sessions.length } };
  });

  mount(router, endSession, signedIn, async (ctx, { caller, params }) => {
    const { redisBudget } = ctx.state;
    const sessions = await ownSessions(sessionStore, caller, redisBudget);
    if (!sessions.some(({ id }) => id === params.id)) {
      throw new ApiError("not-found");
    }
    await sessionStore.end(params.id, redisBudget);
    return { status: 200, body: {} };
  });
}
