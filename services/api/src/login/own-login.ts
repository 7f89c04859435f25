import { loginRequired } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/identity";
import { EMAIL_LINK_LIFETIME_MS, PASSKEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { createEmailVerificationToken } from "better-auth/api";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import { callLibrary, type LibraryCall } from "../accounts/built-in/call-library.ts";
import {
  deleteEmailTokens,
  findAccount,
  findEmailToken,
  findIdentity,
  insertEmailToken,
  useEmailToken,
} from "../accounts/built-in/queries.ts";
import { afterChange, reportChange } from "../accounts/notices.ts";
import { guarded, handlers } from "../callers/handlers.ts";
import { actAsUser } from "../callers/request-actor.ts";
import { findNoticeRecipient, findUser, requireRoom } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { deleteKeys } from "../resources/keys.ts";
import { type LoginCalls, refuseBreached } from "./login.ts";
import type { LoginApi } from "./login-api.ts";
import { replaceAllSessions } from "./own-sessions.ts";
import { followAddress, type ResetCalls } from "./password-reset.ts";

type OwnLoginCalls = Omit<typeof calls, keyof LoginCalls | keyof ResetCalls | "startOpenIdLogin">;

const Nothing = z.object({});

const loggedIn = (api: LoginApi) => api.loggedIn;
const recentlyLoggedIn = (api: LoginApi) => api.recentlyLoggedIn;

export const ownLoginHandlers = handlers<OwnLoginCalls, LoginApi>(calls, {
  changePassword: guarded(recentlyLoggedIn, async (api, { ctx, caller, body }) => {
    const { auth, db, loginLimits } = api;
    const { currentPassword, password, revokesKeys } = body;
    const uid = caller.user.id;
    await loginLimits.countOwnPassword(ctx, uid);
    await refuseBreached(password);
    const { token } = await loginLimits.hash(ctx, true, () =>
      callLibrary(ctx, (options) =>
        auth.api.changePassword({
          ...options,
          body: { currentPassword, newPassword: password, revokeOtherSessions: true },
        }),
      ),
    );
    // Revokes the logins that are older than those the user still has.
    await afterChange(api, () =>
      db.query(sql.type(Nothing)`
        UPDATE identity."user" SET logins_valid_from = coalesce(
          (SELECT date_trunc('second', min("createdAt")) FROM identity.session WHERE "userId" = ${uid}),
          now()
        ) WHERE id = ${uid}
      `),
    );
    const forUser = (work: (userId: number) => Promise<unknown>) =>
      afterChange(api, async () => {
        const user = await findUser(db, uid);
        if (user !== null) await actAsUser(user.id, () => work(user.id));
      });
    await afterChange(api, () => deleteEmailTokens(db, uid));
    const hasRevokedKeys = revokesKeys && (await forUser((userId) => deleteKeys(db, userId)));
    const login = { firebaseUid: uid, authTime: Math.floor(Date.now() / 1_000) };
    const hasEndedSessions = await forUser(async (userId) =>
      replaceAllSessions(api, ctx, { ...login, ...(await findIdentity(db, token))?.login, userId }),
    );
    loginLimits.remember(ctx, uid);
    await reportChange(api, uid, "password.changed");
    return { hasEndedSessions, hasRevokedKeys };
  }),

  sendEmailConfirmation: guarded(loggedIn, async (api, { ctx, caller: { user } }) => {
    await api.ableToSend();
    await api.loginLimits.countOwnPassword(ctx, user.id);
    if (user.emailVerified) return {};
    await callLibrary(ctx, (options) =>
      api.auth.api.sendVerificationEmail({ ...options, body: { email: user.email } }),
    );
    return {};
  }),

  confirmEmail: guarded(
    (api) => api.loginLimits.attempt,
    async (api, { ctx, body: { token, password } }) => {
      const { auth, db, emails } = api;
      const login = await api.findLogin(ctx);
      const uid = await findEmailToken(db, token);
      if (uid === null) throw new ApiError(calls.emailLinkInvalid);
      if (login !== null && login.user.id !== uid) throw new ApiError(calls.emailLinkOfOtherAccount);
      // Another person may have signed up with the address of the person who opens the link.
      if (login === null) await requirePassword(api, ctx, uid, password);
      const earlier = await findNoticeRecipient(db, uid);
      if (!(await useEmailToken(db, token))) throw new ApiError(calls.emailLinkInvalid);
      await callLibrary(ctx, (options) => auth.api.verifyEmail({ ...options, query: { token } })).catch(
        async (error) => {
          await afterChange(api, () => insertEmailToken(db, uid, token));
          throw error;
        },
      );
      // Links that were sent to an earlier address no longer work, those for a new password too.
      await afterChange(api, () => deleteEmailTokens(db, uid));
      await reportChange(api, uid, "email.confirmed");
      await afterChange(api, () => followAddress(api, uid));
      if (earlier === null) return {};
      await afterChange(api, async () => {
        const account = await findAccount(db, uid);
        if (account?.address !== earlier.to) await emails?.sendNotice("email-changed", earlier);
      });
      return {};
    },
  ),

  changeEmail: guarded(recentlyLoggedIn, async (api, { ctx, caller: { user }, body }) => {
    const emails = await api.ableToSend();
    await api.loginLimits.countOwnPassword(ctx, user.id);
    const email = body.email.toLowerCase();
    const { secret } = await api.auth.$context;
    const token = await createEmailVerificationToken(secret, user.email, email, EMAIL_LINK_LIFETIME_MS / 1_000, {
      requestType: "change-email-verification",
      userId: user.id,
    });
    const isConfirmed = await api.db.exists(sql.type(Nothing)`
      SELECT FROM identity."user" WHERE email = ${email} AND "emailVerified"
    `);
    // The reply does not reveal whether the address is in use.
    if (isConfirmed) return {};
    await insertEmailToken(api.db, user.id, token);
    await emails.sendEmailChange({ to: email, createdAt: user.createdAt.toISOString() }, token);
    return {};
  }),

  startTwoFactor: guarded(recentlyLoggedIn, async (api, { ctx, caller: { user }, body: { password } }) => {
    const result = await withPassword(api, ctx, user.id, (options) =>
      api.auth.api.enableTwoFactor({ ...options, body: { password, method: "totp" } }),
    );
    if (result.method !== "totp") throw new Error("The library did not return a secret");
    return { setupUrl: result.totpURI, recoveryCodes: result.backupCodes };
  }),

  replaceRecoveryCodes: guarded(recentlyLoggedIn, async (api, { ctx, caller: { user }, body }) => {
    const { backupCodes } = await withPassword(api, ctx, user.id, (options) =>
      api.auth.api.generateBackupCodes({ ...options, body }),
    );
    await reportChange(api, user.id, "recovery-codes.replaced");
    return { recoveryCodes: backupCodes };
  }),

  endTwoFactor: guarded(recentlyLoggedIn, async (api, { ctx, caller: { user }, body }) => {
    await withPassword(api, ctx, user.id, (options) => api.auth.api.disableTwoFactor({ ...options, body }));
    await reportChange(api, user.id, "two-factor.disabled");
    return {};
  }),

  listPasskeys: guarded(loggedIn, async ({ db, publicBaseUrl }, { caller: { user } }) => [
    ...(await db.any(sql.type(calls.Passkey)`
      SELECT id, coalesce(name, '') AS name, utc_text("createdAt") AS "createdAt", nullif(host, ${new URL(publicBaseUrl).hostname}) AS "otherHost"
      FROM identity.passkey WHERE "userId" = ${user.id} ORDER BY identity.passkey."createdAt"
    `)),
  ]),

  startPasskey: guarded(recentlyLoggedIn, async ({ auth, db }, { ctx, caller: { user } }) => {
    const own = sql.fragment`identity.passkey WHERE "userId" = ${user.id}`;
    await requireRoom(db, own, PASSKEYS_MAX_COUNT, calls.tooManyPasskeys);
    const created = await callLibrary(ctx, (options) =>
      auth.api.generatePasskeyRegistrationOptions({ ...options, query: { name: user.address } }),
    );
    return { ...created };
  }),

  createPasskey: guarded(recentlyLoggedIn, async (api, { ctx, caller, body }) => {
    await callLibrary(ctx, (options) => api.auth.api.verifyPasskeyRegistration({ ...options, body }));
    await reportChange(api, caller.user.id, "passkey.created");
    return {};
  }),

  deletePasskey: guarded(recentlyLoggedIn, async (api, { ctx, caller, params: { id } }) => {
    await callLibrary(ctx, (options) => api.auth.api.deletePasskey({ ...options, body: { id } }));
    await reportChange(api, caller.user.id, "passkey.deleted");
    return {};
  }),
});

/** @throws ApiError (login-required) without a password, (wrong-credentials) */
async function requirePassword({ auth, db, loginLimits }: LoginApi, ctx: Context, uid: string, password = "") {
  if (password === "") throw new ApiError(loginRequired);
  await loginLimits.countOwnPassword(ctx, uid);
  const stored = await db.maybeOneFirst(sql.type(z.object({ password: z.nullable(z.string()) }))`
    SELECT password FROM identity.account WHERE "userId" = ${uid} AND "providerId" = 'credential'
  `);
  const library = await auth.$context;
  const isRight =
    stored && (await loginLimits.hash(ctx, false, () => library.password.verify({ hash: stored, password })));
  if (!isRight) throw new ApiError(calls.wrongCredentials);
}

async function withPassword<T>({ loginLimits }: LoginApi, ctx: Context, uid: string, call: LibraryCall<T>): Promise<T> {
  await loginLimits.countOwnPassword(ctx, uid);
  return loginLimits.hash(ctx, true, () => callLibrary(ctx, call));
}
