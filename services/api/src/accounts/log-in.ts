import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import { bearerToken } from "../http/bearer-token.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { LiveSession, Sessions } from "../sessions/sessions.ts";
import type { Identity, IdentityProvider } from "./identity.ts";
import { findUser, recordLogin, type UserRow } from "./queries.ts";
import { syncOperator, syncVerifiedEmail } from "./users.ts";

export interface LogInDependencies {
  db: Db<"maybeOne">;
  identity: Pick<IdentityProvider, "verify">;
  sessions: Pick<Sessions, "start">;
  sessionStore: Pick<SessionStore, "endAll">;
  /** Counts logins that create a session. */
  loginLimit: RateLimit;
}

/**
 * Creates a session for the user of the caller's ID token. An existing session of the same user is kept, even
 * while the identity provider is unavailable. The stored email address follows the token's.
 * @param session the caller's current session
 * @throws ApiError
 */
export async function logIn(
  { db, identity, sessions, sessionStore, loginLimit }: LogInDependencies,
  ctx: Context,
  session: LiveSession | null,
  firebaseUid: string,
): Promise<UserRow> {
  const hasSession = session?.firebaseUid === firebaseUid;
  if (!hasSession) await loginLimit.countAddress(ctx);
  const token = bearerToken(ctx);
  const verified = await ctx.state.whileWaiting(() =>
    verifiedIdentity(identity, token, { checkRevoked: true }).catch((error) => {
      if (hasSession && error instanceof ApiError && error.code === "unavailable") return null;
      throw error;
    }),
  );
  if (verified && verified.uid !== firebaseUid) throw new ApiError("not-allowed");

  const found = await findUser(db, firebaseUid);
  if (found === null) throw new ApiError("account-not-found");
  if (found.state !== "enabled") throw new ApiError("account-disabled");
  const user = verified
    ? await syncOperator(
        db,
        await syncVerifiedEmail({ db, log: ctx.state.log }, found, verified),
        verified,
      )
    : found;
  // The id differs if the row of the user was lost and created again.
  if (hasSession && session.userId === user.id) return user;

  if (verified === null) throw identityUnavailable();
  await loginLimit.countVisitor(ctx, `account:${firebaseUid}`);
  const login = { userId: user.id, firebaseUid };
  await startSession({ db, sessions, sessionStore }, ctx, {
    ...login,
    authTime: verified.authTime,
  });
  return user;
}

/**
 * Creates a session after a login.
 * @throws ApiError (account-disabled) if the user was disabled meanwhile
 */
export async function startSession(
  { db, sessions, sessionStore }: Pick<LogInDependencies, "db" | "sessions" | "sessionStore">,
  ctx: Context,
  login: Parameters<Sessions["start"]>[1],
): Promise<void> {
  await sessions.start(ctx, login);
  // After the session: an operator who disables the user meanwhile has ended only those that there were.
  if (await recordLogin(db, login)) return;
  await sessionStore.endAll(login, ctx.state.redisBudget);
  throw new ApiError("account-disabled");
}

/**
 * Returns the identity of a token.
 * @throws ApiError if the token is missing or invalid, or the provider is unavailable
 */
export async function verifiedIdentity(
  provider: Pick<IdentityProvider, "verify">,
  token: string | null,
  options?: { checkRevoked: boolean },
): Promise<Identity> {
  if (token === null) throw new ApiError("login-required");
  const verification = await provider.verify(token, options);
  switch (verification.kind) {
    case "verified":
      return verification.identity;
    case "refused":
      throw new ApiError("bad-token");
    case "unavailable":
      throw identityUnavailable();
  }
}

export function identityUnavailable(): ApiError {
  return new ApiError("unavailable", { reason: "The identity provider is unavailable" });
}
