import type { Context } from "koa";
import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import { bearerToken } from "../http/bearer-token.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import type { LiveSession, Sessions } from "../sessions/sessions.ts";
import type { IdentityProvider } from "./identity.ts";
import { findUser, type UserRow } from "./queries.ts";
import { verifiedIdentity } from "./verified-identity.ts";

export interface LogInDependencies {
  db: Pick<CommonQueryMethods, "maybeOne">;
  identity: Pick<IdentityProvider, "verify">;
  sessions: Pick<Sessions, "begin">;
  /** Of logins that make a session. */
  loginLimit: RateLimit;
}

/**
 * Gives the holder of an identity's token a session. One of the same user that lives stays as it is,
 * also while the identity provider is away.
 * @param session the caller's, if he has one
 * @throws ApiError
 */
export async function logIn(
  { db, identity, sessions, loginLimit }: LogInDependencies,
  ctx: Context,
  session: LiveSession | null,
  firebaseUid: string,
): Promise<UserRow> {
  const hasSession = session?.firebaseUid === firebaseUid;
  if (!hasSession) await loginLimit.countAddress(ctx);
  const token = bearerToken(ctx);
  const verified = await verifiedIdentity(identity, token, { checkRevoked: true }).catch(
    (error) => {
      if (hasSession && error instanceof ApiError && error.code === "unavailable") return null;
      throw error;
    },
  );
  if (verified && verified.uid !== firebaseUid) throw new ApiError("not-allowed");

  const user = await findUser(db, firebaseUid);
  if (user === null) throw new ApiError("account-not-found");
  // A user whose row was lost and made anew has another id.
  if (hasSession && session.userId === user.id) return user;

  if (verified === null) throw new ApiError("unavailable");
  await loginLimit.countVisitor(ctx, `account:${firebaseUid}`);
  await sessions.begin(ctx, { userId: user.id, firebaseUid, authTime: verified.authTime });
  return user;
}
