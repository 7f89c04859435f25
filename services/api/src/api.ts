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
  const { rateLimits } = context;
  const claimCookie = new ClaimCookie(context.publicBaseUrl);
  const otherLimit = rateLimits("otherApi");
  const authenticateKey = createKeyAuthentication({
    ...context,
    apiKeyLimit: rateLimits("apiKey"),
  });
  const access = { ...context, sessions, claimCookie, authenticateKey };
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
    requiredKey: guards.requiredKey(otherLimit, authenticateKey),
    requiredSession: guards.requiredSession(otherLimit, access),
  };
}
