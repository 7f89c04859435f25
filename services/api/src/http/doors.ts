import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import type { LiveSession, Sessions } from "../sessions/sessions.ts";
import type { ClaimCookie } from "./claim-cookie.ts";
import type { Door } from "./mount.ts";
import type { RateLimit } from "./rate-limits.ts";

/** For everybody; who holds a claim cookie is counted by it too. Needs no session, and reads none. */
export function anybody(limit: RateLimit, claimCookie: ClaimCookie): Door<void> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    const visitor = claimCookie.read(ctx);
    if (visitor) await limit.countVisitor(ctx, visitor.toString("hex"));
  };
}

/** For everybody, with the session there may be. */
export function maybeSignedIn(limit: RateLimit, sessions: Sessions): Door<LiveSession | null> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    const session = await sessions.read(ctx);
    if (session) await countUser(limit, ctx, session.userId);
    return session;
  };
}

export function signedIn(limit: RateLimit, sessions: Sessions): Door<LiveSession> {
  const enter = maybeSignedIn(limit, sessions);
  return async (ctx) => {
    const session = await enter(ctx);
    if (session === null) throw new ApiError("login-required");
    return session;
  };
}

export function countUser(limit: RateLimit, ctx: Context, userId: number): Promise<void> {
  return limit.countVisitor(ctx, `user:${userId}`);
}
