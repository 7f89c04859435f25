import type { User, Visitor } from "@tapthru/core/links/insert-links";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { accountDisabled, accountNotFound } from "@tapthru/proto/accounts";
import { badToken, loginRequired } from "@tapthru/proto/general-errors";
import type { Context } from "koa";
import { type Acting, findActing, namesAccount } from "../callers/acting.ts";
import { type ClaimCookie, claimHash } from "../callers/claim-cookie.ts";
import type { Guard } from "../callers/guards.ts";
import { countUserRequest } from "../callers/guards.ts";
import { type IdentityProvider, verifiedIdentity } from "../callers/identity.ts";
import { type AuthenticateKey, requireScope } from "../callers/key-access.ts";
import type { LiveSession, Sessions } from "../callers/sessions.ts";
import { findUser } from "../callers/users.ts";
import { bearerKey, bearerToken } from "../http/bearer-token.ts";
import { ApiError } from "../http/errors.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import { findLinkSettings, type LinkDomainsDependencies, type LinkSettings } from "./link-domains.ts";
import type { ReadRequester } from "./queue-read.ts";

export type Creator = (User & Acting & { settings?: LinkSettings | undefined }) | VisitorOfRequest;

interface VisitorOfRequest extends Visitor {
  newClaimToken: string | null;
  /** The requester for whom the link's metadata read counts. */
  requester: Omit<ReadRequester, "userId">;
}

export interface CreatorDependencies extends LinkDomainsDependencies {
  db: Db<"maybeOne" | "maybeOneFirst">;
  identity: Pick<IdentityProvider, "verify">;
  findLoginUid(ctx: Context): Promise<string | null>;
  sessions: Pick<Sessions, "read">;
  claimCookie: Pick<ClaimCookie, "read" | "issue">;
  authenticateKey: AuthenticateKey;
  generateLimit: RateLimit;
  addressOf(request: Context["req"]): string;
}

/**
 * Identifies the creator by API key, else by session. Uses the token, or the login at the built-in identity provider, if there is
 * no session or Redis is unavailable.
 */
export function identifyCreator(deps: CreatorDependencies): Guard<Creator> {
  const { db, identity, findLoginUid, sessions, claimCookie, authenticateKey, generateLimit } = deps;

  async function sessionUser(session: LiveSession, token: string | null) {
    const verification = token === null ? null : await identity.verify(token);
    const isOtherUser = verification?.kind === "verified" && verification.identity.uid !== session.firebaseUid;
    if (isOtherUser) throw new ApiError(badToken);
    return { userId: session.userId, settings: await findLinkSettings(deps, session) };
  }

  /** @returns null if the identity has no user, as after a refused sign-up */
  async function enabledUserId(uid: string): Promise<number | null> {
    const user = await findUser(db, uid);
    if (user === null) return null;
    if (user.state !== "enabled") throw new ApiError(accountDisabled);
    return user.id;
  }

  async function keyUser(ctx: Context, text: string) {
    const key = await authenticateKey(ctx, text);
    requireScope(key.scopes, "links:write");
    return key;
  }

  async function loginUser(ctx: Context): Promise<{ userId: number; settings?: LinkSettings } | null> {
    const token = bearerToken(ctx);
    const session = await sessions.read(ctx).catch((error: unknown) => {
      if (error instanceof RedisUnavailableError) return error;
      throw error;
    });
    const isUnreadable = session instanceof RedisUnavailableError;
    if (session !== null && !isUnreadable) return sessionUser(session, token);
    const uid = token === null ? await findLoginUid(ctx) : (await verifiedIdentity(identity, token)).uid;
    const userId = uid === null ? null : await enabledUserId(uid);
    if (userId !== null) return { userId };
    if (token !== null) throw new ApiError(accountNotFound);
    if (isUnreadable) throw session;
    return null;
  }

  return async (ctx) => {
    await generateLimit.countAddress(ctx);
    const key = bearerKey(ctx);
    const user = key === null ? await loginUser(ctx) : await keyUser(ctx, key);
    if (user !== null) {
      await countUserRequest(generateLimit, ctx, user.userId);
      const acting = await findActing(db, ctx, user);
      return { ...acting, settings: acting.userId === user.userId && "settings" in user ? user.settings : undefined };
    }
    // The login of its sender has ended.
    if (namesAccount(ctx)) throw new ApiError(loginRequired);
    const knownKey = claimCookie.read(ctx);
    if (knownKey !== null) await generateLimit.countVisitor(ctx, knownKey.toString("hex"));
    const newClaimToken = knownKey === null ? claimCookie.issue(ctx) : null;
    return {
      userId: null,
      visitorKey: knownKey ?? claimHash(newClaimToken ?? ""),
      newClaimToken,
      requester: { address: deps.addressOf(ctx.req), requestId: ctx.state.requestId },
    };
  };
}
