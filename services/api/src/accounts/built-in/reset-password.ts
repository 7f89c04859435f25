import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { Context } from "koa";
import { ApiError } from "../../errors.ts";
import { actAsUser } from "../../http/request-actor.ts";
import { deleteKeys } from "../../keys/queries.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import { findWebhooks, removeWebhook } from "../../webhooks/queries.ts";
import { findUser, type UserRow } from "../queries.ts";
import type { Auth } from "./auth.ts";
import { callLibrary } from "./call-library.ts";
import type { LoginLimits } from "./login-limits.ts";
import { refuseBreached } from "./passwords.ts";
import { findAccount, findEmailToken, removeCreatorsAccess, revokeLogins } from "./queries.ts";
import { afterChange, type ReportChange } from "./report-change.ts";

export interface ResetDependencies {
  auth: Auth;
  db: Db<"any" | "maybeOne" | "maybeOneFirst" | "query">;
  sessionStore: Pick<SessionStore, "endAll">;
  loginLimits: LoginLimits;
  reportChange: ReportChange;
  logger: Logger;
}

interface Reset {
  token: string;
  password: string;
  revokesKeys: boolean;
}

/** @throws ApiError (email-link-invalid) */
export async function findResetUid(db: Db<"maybeOneFirst">, token: string): Promise<string> {
  const uid = await findEmailToken(db, `reset-password:${token}`);
  if (uid === null) throw new ApiError("email-link-invalid");
  return uid;
}

/**
 * Sets a new password with the token of an email, after which no earlier login has access. What could fail comes first, while the token
 * is still valid.
 */
export async function setNewPassword(
  deps: ResetDependencies,
  ctx: Context,
  { token, password, revokesKeys }: Reset,
): Promise<void> {
  const { auth, db, sessionStore, loginLimits, reportChange, logger } = deps;
  await refuseBreached(password);
  const uid = await findResetUid(db, token);
  const user = await findUser(db, uid);
  await loginLimits.hash(ctx, true, async () => {
    await endEarlierAccess(db, { uid, user, revokesKeys });
    await callLibrary(ctx, (options) =>
      auth.api.resetPassword({ ...options, body: { token, newPassword: password } }),
    );
  });
  // Again: with the earlier password somebody may have logged in meanwhile.
  await afterChange(logger, () => revokeLogins(db, uid));
  if (user !== null) {
    const sessions = { userId: user.id, firebaseUid: uid };
    // While Redis is unavailable, the next check of the login ends them.
    await afterChange(logger, () => bestEffort(sessionStore.endAll(sessions)));
  }
  await reportChange(uid, "password.reset");
  loginLimits.remember(ctx, uid);
}

interface EarlierAccess {
  uid: string;
  /** Null: the identity has none. */
  user: UserRow | null;
  revokesKeys: boolean;
}

async function endEarlierAccess(
  db: ResetDependencies["db"],
  { uid, user, revokesKeys }: EarlierAccess,
): Promise<void> {
  const account = await findAccount(db, uid);
  if (user !== null && revokesKeys) await actAsUser(user.id, () => deleteKeys(db, user.id));
  if (account?.isEmailVerified === false) {
    await removeCreatorsAccess(db, uid);
    for (const { id } of user === null ? [] : await findWebhooks(db, user.id)) {
      await removeWebhook(db, { userId: user?.id ?? 0, id });
    }
  }
  await revokeLogins(db, uid);
}
