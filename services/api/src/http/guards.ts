import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import type { LiveSession, Sessions } from "../sessions/sessions.ts";
import type { ClaimCookie } from "./claim-cookie.ts";
import type { Guard } from "./mount.ts";
import type { RateLimit } from "./rate-limits.ts";

/** Allows every caller without reading a session. Counts by address and, if present, by claim cookie. */
export function publicAccess(limit: RateLimit, claimCookie: ClaimCookie): Guard<void> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    const visitor = claimCookie.read(ctx);
    if (visitor) await limit.countVisitor(ctx, visitor.toString("hex"));
  };
}

/** Allows every caller and returns their session, if any. */
export function optionalSession(limit: RateLimit, sessions: Sessions): Guard<LiveSession | null> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    const session = await sessions.read(ctx);
    if (session) await countUserRequest(limit, ctx, session.userId);
    return session;
  };
}

export function requiredSession(limit: RateLimit, sessions: Sessions): Guard<LiveSession> {
  const readSession = optionalSession(limit, sessions);
  return async (ctx) => {
    const session = await readSession(ctx);
    if (session === null) throw new ApiError("login-required");
    return session;
  };
}

/** Also counts by address and by user under another limit. */
export function withLimit<Caller extends { userId: number }>(
  limit: RateLimit,
  guard: Guard<Caller>,
): Guard<Caller> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    const caller = await guard(ctx);
    await countUserRequest(limit, ctx, caller.userId);
    return caller;
  };
}

export function countUserRequest(limit: RateLimit, ctx: Context, userId: number): Promise<void> {
  return limit.countVisitor(ctx, `user:${userId}`);
}
