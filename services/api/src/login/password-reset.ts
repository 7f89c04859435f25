import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/identity";
import { sql } from "slonik";
import * as z from "zod/mini";
import { callLibrary } from "../accounts/built-in/call-library.ts";
import {
  confirmAddress,
  deleteEmailTokens,
  findAccount,
  findEmailToken,
  findLoginsOf,
  revokeLogins,
} from "../accounts/built-in/queries.ts";
import { afterChange, reportChange } from "../accounts/notices.ts";
import { endWaysIn } from "../accounts/ways-in.ts";
import { guarded, handlers } from "../callers/handlers.ts";
import { actAsUser } from "../callers/request-actor.ts";
import { findUser, type UserRow } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { deleteKeys } from "../resources/keys.ts";
import { findWebhooks, removeWebhook } from "../resources/webhook-queries.ts";
import { refuseBreached } from "./login.ts";
import type { LoginApi } from "./login-api.ts";
import { followProvider } from "./own-sessions.ts";

export type ResetCalls = Pick<typeof calls, "requestPasswordReset" | "listKeysOfReset" | "resetPassword">;

const passwordAttempt = (api: LoginApi) => api.passwordAttempt;

export const passwordResetHandlers = handlers<ResetCalls, LoginApi>(calls, {
  requestPasswordReset: guarded(passwordAttempt, async (api, { ctx, body }) => {
    await api.ableToSend();
    const email = body.email.toLowerCase();
    const logins = await findLoginsOf(api.db, email);
    // One for each account, which the email names. The library takes as long for an unknown address.
    for (const login of logins.length > 0 ? logins : [{ email }]) {
      const body = { email: login.email };
      await callLibrary(ctx, (options) => api.auth.api.requestPasswordReset({ ...options, body }));
    }
    return {};
  }),

  listKeysOfReset: guarded(passwordAttempt, async ({ db }, { body: { token } }) => {
    const uid = await findResetUid(db, token);
    const names = await db.anyFirst(sql.type(z.object({ name: z.string() }))`
      SELECT api_keys.name FROM api_keys JOIN users ON users.id IN (user_id, account_id)
      WHERE firebase_uid = ${uid} AND (expires_at IS NULL OR expires_at > now())
      ORDER BY api_keys.id DESC
    `);
    return { names: [...names] };
  }),

  /** After it no earlier login has access. What could fail comes first, while the token is still valid. */
  resetPassword: guarded(passwordAttempt, async (api, { ctx, body }) => {
    const { auth, db, sessionStore, loginLimits } = api;
    const { token, password, revokesKeys } = body;
    await refuseBreached(password);
    const uid = await findResetUid(db, token);
    const user = await findUser(db, uid);
    const isConfirmed = (await findAccount(db, uid))?.isEmailVerified === true;
    const endEarlierAccess = () => (isConfirmed ? revokeLogins(db, uid) : endCreatorsAccess(api, uid, user));
    await loginLimits.hash(ctx, true, async () => {
      if (user !== null && revokesKeys) await actAsUser(user.id, () => deleteKeys(db, user.id));
      await endEarlierAccess();
      await callLibrary(ctx, (options) =>
        auth.api.resetPassword({ ...options, body: { token, newPassword: password } }),
      );
    });
    // Again: with the earlier password a person may have logged in meanwhile.
    await afterChange(api, endEarlierAccess);
    await afterChange(api, () => deleteEmailTokens(db, uid));
    // While Redis is unavailable, the next check of the login ends them.
    const sessions = user && { userId: user.id, firebaseUid: uid };
    const areEnded = sessions === null || (await afterChange(api, () => sessionStore.endAll(sessions)));
    // Last, as then others can get access again.
    if (!isConfirmed && areEnded) {
      await afterChange(api, () => confirmAddress(db, uid));
      await afterChange(api, () => followAddress(api, uid));
    }
    await reportChange(api, uid, "password.reset");
    loginLimits.remember(ctx, uid);
    return {};
  }),
});

async function findResetUid(db: Db<"maybeOneFirst">, token: string): Promise<string> {
  const uid = await findEmailToken(db, `reset-password:${token}`);
  if (uid === null) throw new ApiError(calls.emailLinkInvalid);
  return uid;
}

/**
 * A user who resets the password of an account has proved that its unconfirmed address is theirs. Another person may have created
 * the account: everything with which that person, or others for them, could still enter it or learn of it is deleted.
 */
async function endCreatorsAccess({ db }: LoginApi, uid: string, user: UserRow | null) {
  // Their events are deleted in batches.
  for (const { id } of user === null ? [] : await findWebhooks(db, user.id)) {
    await removeWebhook(db, { userId: user?.id ?? 0, id });
  }
  await db.transaction(async (transaction) => {
    await endWaysIn(transaction, { uid, userId: user?.id ?? null });
    await revokeLogins(transaction, uid);
  });
}

/** Gives a confirmed address to the user, who otherwise gets it with the next login. */
export async function followAddress(api: LoginApi, uid: string): Promise<void> {
  const [user, account] = [await findUser(api.db, uid), await findAccount(api.db, uid)];
  if (user === null || account === null) return;
  await followProvider(api, user, { uid, email: account.address, authTime: 0, ...account });
}
