import type { Context as KoaContext } from "koa";
import { findIdentity } from "./accounts/built-in/queries.ts";
import { ClaimCookie } from "./callers/claim-cookie.ts";
import * as guards from "./callers/guards.ts";
import { type Identity, verifiedIdentity } from "./callers/identity.ts";
import { createKeyAuthentication } from "./callers/key-access.ts";
import type { Sessions } from "./callers/sessions.ts";
import type { Context } from "./context.ts";
import { bearerToken } from "./http/bearer-token.ts";
import { identifyCreator } from "./links/creator.ts";

export type Api = ReturnType<typeof createApi>;

export function createApi(context: Context, sessions: Sessions) {
  const { rateLimits, builtIn, identity, db } = context;
  const claimCookie = new ClaimCookie(context.publicBaseUrl);
  const otherLimit = rateLimits("otherApi");
  const authenticateKey = createKeyAuthentication({
    ...context,
    apiKeyLimit: rateLimits("apiKey"),
  });
  const findLogin = async (ctx: KoaContext) => builtIn?.findLogin(ctx);
  const findLoginUid = async (ctx: KoaContext) => (await findLogin(ctx))?.user.id ?? null;

  /** Who is logged in at the identity provider, by its cookie or its token, and not by what the request says. @throws ApiError */
  async function provenIdentity(ctx: KoaContext): Promise<Identity> {
    const token = bearerToken(ctx);
    const login = token === null ? await findLogin(ctx) : null;
    const found = login && (await findIdentity(db, login.session.token));
    return found ?? ctx.state.releaseSlotDuring(() => verifiedIdentity(identity, token, { checkRevoked: true }));
  }

  const access = { ...context, findLoginUid, sessions, claimCookie, authenticateKey };
  const limits = {
    acmeChallengeLimit: rateLimits("acmeChallenge"),
    generateLimit: rateLimits("generate"),
    loginLimit: rateLimits("login"),
    usersLimit: rateLimits("users"),
  };
  return {
    ...access,
    ...limits,
    provenIdentity,
    identifyCreator: identifyCreator({ ...access, ...limits }),
    optionalSession: guards.optionalSession(otherLimit, sessions),
    publicAccess: guards.publicAccess(otherLimit, claimCookie),
    requiredKey: guards.inAccount(context.db, guards.requiredKey(otherLimit, authenticateKey)),
    requiredSession: guards.requiredSession(otherLimit, access),
  };
}
