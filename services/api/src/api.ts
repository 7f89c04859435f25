import type { Context as KoaContext } from "koa";
import type { Context } from "./context.ts";
import { ClaimCookie } from "./http/claim-cookie.ts";
import * as guards from "./http/guards.ts";
import { createKeyAuthentication } from "./keys/key-access.ts";
import { identifyCreator } from "./links/creator.ts";
import type { Sessions } from "./sessions/sessions.ts";

/** What handlers use. */
export type Api = ReturnType<typeof createApi>;

/** Adds to the context what recognizes callers. */
export function createApi(context: Context, sessions: Sessions) {
  const { rateLimits, builtIn } = context;
  const claimCookie = new ClaimCookie(context.publicBaseUrl);
  const otherLimit = rateLimits("otherApi");
  const authenticateKey = createKeyAuthentication({
    ...context,
    apiKeyLimit: rateLimits("apiKey"),
  });
  const findLoginUid = async (ctx: KoaContext) => builtIn?.loginUidOf(ctx.get("Cookie")) ?? null;
  const access = { ...context, findLoginUid, sessions, claimCookie, authenticateKey };
  const limits = {
    acmeChallengeLimit: rateLimits("acmeChallenge"),
    createLimit: rateLimits("createByPattern"),
    generateLimit: rateLimits("generate"),
    loginLimit: rateLimits("login"),
    usersLimit: rateLimits("users"),
    visitLimit: rateLimits("go"),
  };
  return {
    ...access,
    ...limits,
    identifyCreator: identifyCreator({ ...access, ...limits }),
    optionalSession: guards.optionalSession(otherLimit, sessions),
    publicAccess: guards.publicAccess(otherLimit, claimCookie),
    requiredKey: guards.inAccount(context.db, guards.requiredKey(otherLimit, authenticateKey)),
    requiredSession: guards.requiredSession(otherLimit, access),
  };
}
