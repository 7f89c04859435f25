import { hash } from "node:crypto";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import type { Context } from "koa";
import { type IdentityProvider, verifiedIdentity } from "../accounts/identity.ts";
import { findUser } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import { bearerKey, bearerToken } from "../http/bearer-token.ts";
import { type ClaimCookie, claimHash } from "../http/claim-cookie.ts";
import type { Guard } from "../http/guards.ts";
import { countUserRequest } from "../http/guards.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import { type AuthenticateKey, requireScope } from "../keys/key-access.ts";
import type { LiveSession, Sessions } from "../sessions/sessions.ts";

/** The creator of a link: a user, or a visitor with a claim token. */
export interface Creator {
  /** Null if the link has no owner; it then expires and can be claimed. */
  userId: number | null;
  /** SHA-256 of the user id or of the claim token. */
  visitorKey: Buffer;
  /** The claim token that this request issued, if any. */
  newClaimToken: string | null;
}

export interface CreatorDependencies {
  db: Db<"maybeOne">;
  identity: Pick<IdentityProvider, "verify">;
  sessions: Pick<Sessions, "read">;
  claimCookie: Pick<ClaimCookie, "read" | "issue">;
  authenticateKey: AuthenticateKey;
  generateLimit: RateLimit;
}

/**
 * Identifies the creator by API key, else by session. Uses the token if there is no session or Redis is unavailable.
 */
export function identifyCreator(deps: CreatorDependencies): Guard<Creator> {
  const { db, identity, sessions, claimCookie, authenticateKey, generateLimit } = deps;

  async function sessionUserId(session: LiveSession, token: string | null): Promise<number> {
    const verification = token === null ? null : await identity.verify(token);
    const isOtherUser =
      verification?.kind === "verified" && verification.identity.uid !== session.firebaseUid;
    if (isOtherUser) throw new ApiError("bad-token");
    return session.userId;
  }

  async function tokenUserId(token: string): Promise<number> {
    const { uid } = await verifiedIdentity(identity, token);
    const user = await findUser(db, uid);
    if (user === null) throw new ApiError("account-not-found");
    if (user.state !== "enabled") throw new ApiError("account-disabled");
    return user.id;
  }

  async function keyUserId(ctx: Context, key: string): Promise<number> {
    const { userId, scopes } = await authenticateKey(ctx, key);
    requireScope(scopes, "links:write");
    return userId;
  }

  async function loginUserId(ctx: Context): Promise<number | null> {
    const token = bearerToken(ctx);
    const session = await sessions.read(ctx).catch((error) => {
      if (token !== null && error instanceof RedisUnavailableError) return null;
      throw error;
    });
    if (session) return sessionUserId(session, token);
    return token === null ? null : tokenUserId(token);
  }

  return async (ctx) => {
    await generateLimit.countAddress(ctx);
    const key = bearerKey(ctx);
    const userId = key === null ? await loginUserId(ctx) : await keyUserId(ctx, key);
    if (userId !== null) {
      await countUserRequest(generateLimit, ctx, userId);
      return { userId, visitorKey: userKey(userId), newClaimToken: null };
    }
    const visitorKey = claimCookie.read(ctx);
    if (visitorKey === null) {
      const newClaimToken = claimCookie.issue(ctx);
      return { userId, visitorKey: claimHash(newClaimToken), newClaimToken };
    }
    await generateLimit.countVisitor(ctx, visitorKey.toString("hex"));
    return { userId, visitorKey, newClaimToken: null };
  };
}

/** The `visitorKey` of a user. */
export function userKey(userId: number): Buffer {
  return hash("sha256", `user:${userId}`, "buffer");
}

/**
 * What is stored of an idempotency key. Each user has their own keys; visitors without an account share theirs, because the first request
 * of one has no claim token yet.
 */
export function idempotencyKeyHash(key: string, userId: number | null): Buffer {
  return hash("sha256", userId === null ? key : `user:${userId}:${key}`, "buffer");
}
