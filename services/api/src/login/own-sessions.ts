import { record } from "@tapthru/core/events";
import { changing } from "@tapthru/core/platform/postgres/postgres";
import { accountDisabled, accountNotFound, type Login, login, logout } from "@tapthru/proto/accounts";
import { notAllowed, notFound, unavailable } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/sessions";
import type { Context } from "koa";
import { sql, UniqueIntegrityConstraintViolationError } from "slonik";
import * as z from "zod/mini";
import { endRefusedLogin, signOut } from "../accounts/built-in/call-library.ts";
import { endLogin, findAccount } from "../accounts/built-in/queries.ts";
import type { Api } from "../api.ts";
import { guarded, handlers } from "../callers/handlers.ts";
import { type Identity, identityUnavailable, verifiedIdentity } from "../callers/identity.ts";
import { actAsUser } from "../callers/request-actor.ts";
import type { NewSession } from "../callers/session-store.ts";
import type { LiveSession } from "../callers/sessions.ts";
import { changeUser, findUser, type UserRow, userReply } from "../callers/users.ts";
import { bearerToken } from "../http/bearer-token.ts";
import { ApiError } from "../http/errors.ts";
import { deleteKeys } from "../resources/keys.ts";

const anySession = (api: Api) => api.optionalSession;

export const sessionHandlers = handlers(
  { login, logout, ...calls },
  {
    login: guarded(anySession, async (api, { ctx, caller, body }) => {
      const user = await logIn(api, ctx, caller, body).catch((error) => endRefusedLogin(api, ctx, error));
      return userReply(api, user);
    }),

    /** Also ends the login at the built-in provider, which could otherwise still create links. */
    logout: guarded(anySession, async ({ builtIn, sessions }, { ctx }) => {
      await sessions.end(ctx);
      return { redirectUrl: builtIn && (await signOut(builtIn, ctx)) };
    }),

    getSession: guarded(anySession, async (api, { caller }) => {
      if (caller === null) return { login: null };
      const user = await findUser(api.db, caller.firebaseUid);
      const isUsable = user?.id === caller.userId && user.state === "enabled";
      return { login: isUsable ? await loginReply(api, user, caller.firebaseUid) : null };
    }),

    listSessions: async ({ sessionStore }, { ctx, caller }) => {
      const list = await sessionStore.list(caller, ctx.state.redisBudget);
      return list
        .sort((one, other) => other.lastSeenAt - one.lastSeenAt)
        .map(({ id, createdAt, lastSeenAt, userAgent }) => ({
          id,
          createdAt: new Date(createdAt).toISOString(),
          lastSeenAt: new Date(lastSeenAt).toISOString(),
          userAgent,
          isCurrent: id === caller.id,
        }));
    },

    endAllSessions: async (api, { ctx, caller, userId, query: { revokesKeys } }) => {
      const { db, identity, sessionStore } = api;
      const { redisBudget, releaseSlotDuring } = ctx.state;
      await recordEnd(api, userId, "sessions.ended");
      // Revoke first. Otherwise an open browser could start a new session at once.
      const revoke = () => identity.revoke(caller.firebaseUid);
      const outcome = await releaseSlotDuring(revoke, { mayReject: false });
      if (outcome === "unavailable") throw identityUnavailable();
      if (revokesKeys) await deleteKeys(db, userId);
      return { ended: await sessionStore.endAll(caller, redisBudget) };
    },

    replaceSessions: async (api, { ctx, caller, query: { revokesKeys } }) => {
      const { db, identity, loginLimit } = api;
      const { releaseSlotDuring } = ctx.state;
      const { userId, firebaseUid } = caller;
      const { uid, authTime } = await releaseSlotDuring(() =>
        verifiedIdentity(identity, bearerToken(ctx), { checkRevoked: true }),
      );
      if (uid !== firebaseUid) throw new ApiError(notAllowed);
      await loginLimit.countVisitor(ctx, `account:${firebaseUid}`);
      if (revokesKeys) await deleteKeys(db, userId);
      return { ended: await replaceAllSessions(api, ctx, { userId, firebaseUid, authTime }) };
    },

    endSession: async (api, { ctx, caller, userId, params: { id } }) => {
      const { redisBudget } = ctx.state;
      const list = await api.sessionStore.list(caller, redisBudget);
      const session = list.find((each) => each.id === id);
      if (session === undefined) throw new ApiError(notFound);
      await recordEnd(api, userId, "session.ended");
      // First: it would open a session again.
      if (session.loginId !== undefined) await endLogin(api.db, session.loginId);
      await api.sessionStore.end(id, redisBudget);
      return {};
    },
  },
);

/** Before sessions are ended: they are not in Postgres. */
const recordEnd = ({ db }: Api, userId: number, event: "session.ended" | "sessions.ended") =>
  record(db, event, { objectId: String(userId), object: "", ownerId: userId });

/**
 * Creates a session for the user who is logged in at the identity provider. One of the same user that is as recent as the login is kept,
 * even while the provider is unavailable. The stored email address follows the provider's.
 * @param session the caller's current session
 * @throws ApiError
 */
async function logIn(
  api: Api,
  ctx: Context,
  session: LiveSession | null,
  { firebaseUid }: { firebaseUid: string },
): Promise<UserRow> {
  const { db, loginLimit } = api;
  const hasSession = session?.firebaseUid === firebaseUid;
  if (!hasSession) await loginLimit.countAddress(ctx);
  const verified = await api.provenIdentity(ctx).catch((error) => {
    if (hasSession && error instanceof ApiError && error.code === unavailable.code) return null;
    throw error;
  });
  if (verified && verified.uid !== firebaseUid) throw new ApiError(notAllowed);

  const found = await findUser(db, firebaseUid);
  if (found === null) throw new ApiError(accountNotFound);
  // The id differs if the row of the user was lost and created again.
  const keepsSession = hasSession && session.userId === found.id && session.authTime >= (verified?.authTime ?? 0);
  if (verified !== null) {
    if (!keepsSession) await loginLimit.countVisitor(ctx, `account:${firebaseUid}`);
    return openSession(api, ctx, found, verified, keepsSession);
  }
  if (found.state !== "enabled") throw new ApiError(accountDisabled);
  if (!keepsSession) throw identityUnavailable();
  return found;
}

/** @param keepsSession a session of the user is kept instead @throws ApiError (account-disabled) */
export async function openSession(
  api: Api,
  ctx: Context,
  found: UserRow,
  identity: Identity,
  keepsSession = false,
): Promise<UserRow> {
  if (found.state !== "enabled") throw new ApiError(accountDisabled);
  const user = await followProvider(api, found, identity);
  if (keepsSession) return user;
  const { uid: firebaseUid, authTime, login } = identity;
  await startSession(api, ctx, { ...login, userId: user.id, firebaseUid, authTime });
  return user;
}

/** Ends all sessions of a user and opens a new one. @returns how many others were ended */
export async function replaceAllSessions(api: Api, ctx: Context, login: NewSession) {
  const { sessions, sessionStore } = api;
  const { redisBudget } = ctx.state;
  const current = await sessions.read(ctx);
  const others = (await sessionStore.list(login, redisBudget)).filter(({ id }) => id !== current?.id);
  if (others.length > 0) await recordEnd(api, login.userId, "sessions.ended");
  await Promise.all(others.map(({ id }) => sessionStore.end(id, redisBudget)));
  await startSession(api, ctx, login);
  return others.length;
}

export async function identityReply({ db, builtIn }: Api, uid: string, knownEmail: string): Promise<Login["identity"]> {
  const account = await findAccount(db, uid);
  const { address: email = knownEmail, hasPassword: hasOwn = true, hasTwoFactor = false } = account ?? {};
  const hasPassword = hasOwn && builtIn?.hasPasswordLogin !== false;
  return { uid, email, hasPassword, hasTwoFactor };
}

export async function loginReply(api: Api, user: UserRow, uid: string): Promise<Login> {
  return { user: userReply(api, user), identity: await identityReply(api, uid, user.email) };
}

/** @throws ApiError (account-disabled) if the user was disabled or deleted meanwhile */
async function startSession({ db, sessions, sessionStore }: Api, ctx: Context, login: NewSession): Promise<void> {
  await sessions.start(ctx, login);
  // After the session: an operator who disables the user meanwhile has ended only those that there were.
  const user = await db.maybeOne(changing(z.object({ id: z.int() }))`
    UPDATE users SET last_login_at = now()
    WHERE id = ${login.userId} AND firebase_uid = ${login.firebaseUid} AND state = 'enabled'
    RETURNING id
  `);
  if (user !== null) return;
  await sessionStore.endAll(login, ctx.state.redisBudget);
  throw new ApiError(accountDisabled);
}

/**
 * Stores the email address of an identity after its user has changed or verified it at the provider. Keeps the stored
 * address if the new one is not verified, because anyone could have entered it, or while another user has it. Also follows the
 * groups of an OpenID provider, if they say who is an operator.
 * @returns the user as stored
 */
export async function followProvider(
  { db, logger }: Pick<Api, "db" | "logger">,
  found: UserRow,
  { uid: firebaseUid, email, isEmailVerified, isOperator }: Identity,
): Promise<UserRow> {
  const { id: userId } = found;
  let user = found;
  const isStored = email === user.email && user.emailIsVerified;
  if (email !== null && isEmailVerified && !isStored) {
    const change = sql.fragment`email = ${email}, email_is_verified = true`;
    const update = () => changeUser(db, { userId, firebaseUid }, change);
    try {
      user = (await actAsUser(userId, update)) ?? user;
    } catch (error) {
      if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
      logger.warn({ event: "email_not_updated" }, "another user has the new email address of a user");
    }
  }
  if (isOperator === null || isOperator === user.isOperator) return user;
  const update = () => changeUser(db, { userId, firebaseUid }, sql.fragment`is_operator = ${isOperator}`);
  return (await actAsUser(userId, update)) ?? user;
}
