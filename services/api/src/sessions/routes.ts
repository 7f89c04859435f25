import type { Router } from "@koa/router";
import { endOtherSessions, endSession, listSessions } from "@tapthru/proto/http/sessions";
import { messages } from "@tapthru/proto/rules/messages";
import { ApiError } from "../errors.ts";
import { type Door, mount } from "../http/mount.ts";
import type { SessionStore } from "./session-store.ts";
import type { LiveSession } from "./sessions.ts";

export interface SessionRoutesNeeds {
  sessionStore: Pick<SessionStore, "list" | "end">;
  signedIn: Door<LiveSession>;
}

export function sessionRoutes(router: Router, { sessionStore, signedIn }: SessionRoutesNeeds) {
  mount(router, listSessions, signedIn, async (ctx, { caller }) => {
    const sessions = await sessionStore.list(caller.userId, ctx.state.redisBudget);
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

  mount(router, endOtherSessions, signedIn, async (ctx, { caller }) => {
    const { redisBudget } = ctx.state;
    const others = (await sessionStore.list(caller.userId, redisBudget)).filter(
      ({ id }) => id !== caller.id,
    );
    await Promise.all(others.map(({ id }) => sessionStore.end(id, redisBudget)));
    return { status: 200, body: { ended: others.length } };
  });

  mount(router, endSession, signedIn, async (ctx, { caller, params }) => {
    const { redisBudget } = ctx.state;
    const sessions = await sessionStore.list(caller.userId, redisBudget);
    if (!sessions.some(({ id }) => id === params.id)) {
      throw new ApiError("not-found", messages.notFound);
    }
    await sessionStore.end(params.id, redisBudget);
    return { status: 200, body: {} };
  });
}
