import type { Db } from "@tapthru/core/platform/postgres/postgres";
import {
  changeEmail,
  changePassword,
  confirmEmail,
  createPasskey,
  deleteIdentity,
  deletePasskey,
  endTwoFactor,
  listKeysOfReset,
  listPasskeys,
  renameIdentity,
  replaceRecoveryCodes,
  requestPasswordReset,
  resetPassword,
  sendEmailConfirmation,
  startPasskey,
  startTwoFactor,
} from "@tapthru/proto/http/identity";
import {
  EMAIL_LINK_LIFETIME_MS,
  PASSKEYS_MAX_COUNT,
  RECENT_LOGIN_MS,
} from "@tapthru/proto/rules/limits";
import { createEmailVerificationToken } from "better-auth/api";
import type { Context } from "koa";
import { ApiError } from "../../errors.ts";
import { type ApiRouter, mountWithGuard } from "../../http/mount.ts";
import { findKeyNames } from "../../keys/queries.ts";
import { findNoticeRecipient } from "../queries.ts";
import type { Auth } from "./auth.ts";
import { callLibrary } from "./call-library.ts";
import type { Emails, Recipient } from "./emails.ts";
import { ifPasswordLogin } from "./login-routes.ts";
import { refuseBreached } from "./passwords.ts";
import {
  countPasskeys,
  deleteEmailTokens,
  deleteUnusedIdentity,
  findAccount,
  findEmailToken,
  insertEmailToken,
  isConfirmed,
  revokeEarlierLogins,
} from "./queries.ts";
import { afterChange } from "./report-change.ts";
import { findResetUid, type ResetDependencies, setNewPassword } from "./reset-password.ts";

export interface OwnLoginRoutesDependencies extends ResetDependencies {
  auth: Auth;
  db: Db<"any" | "anyFirst" | "exists" | "maybeOne" | "maybeOneFirst" | "oneFirst" | "query">;
  hasPasswordLogin: boolean;
  /** Null: this installation cannot send emails. */
  emails: Emails | null;
}

/** The calls with which people change how they log in. */
export function ownLoginRoutes(router: ApiRouter, deps: OwnLoginRoutesDependencies) {
  const { auth, db, loginLimits, reportChange, logger } = deps;
  const passwordAttempt = ifPasswordLogin(deps.hasPasswordLogin, loginLimits.attempt);

  const loggedIn = async (ctx: Context) => {
    const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
    if (login === null) {
      await loginLimits.countNetwork(ctx);
      throw new ApiError("login-required");
    }
    await loginLimits.countUser(ctx, login.user.id);
    return login;
  };

  const recentlyLoggedIn: typeof loggedIn = async (ctx) => {
    const login = await loggedIn(ctx);
    if (Date.now() - login.session.createdAt.getTime() <= RECENT_LOGIN_MS) return login;
    throw new ApiError("recent-login-required");
  };

  async function ableToSend(): Promise<Emails> {
    if (deps.emails === null) throw new ApiError("email-not-configured");
    await deps.emails.check();
    return deps.emails;
  }

  async function tellEarlierAddress(uid: string, earlier: Recipient): Promise<void> {
    const account = await findAccount(db, uid);
    if (account?.address !== earlier.to) await deps.emails?.sendNotice("email-changed", earlier);
  }

  mountWithGuard(router, renameIdentity, loggedIn, async (ctx, { caller, body }) => {
    await callLibrary(ctx, (options) =>
      auth.api.updateUser({ ...options, body: { name: body.displayName } }),
    );
    await reportChange(caller.user.id, "display-name.changed");
    return { status: 200, body: {} };
  });

  mountWithGuard(router, deleteIdentity, recentlyLoggedIn, async (_ctx, { caller }) => {
    // Otherwise its user would remain, without a login.
    if (!(await deleteUnusedIdentity(db, caller.user.id))) throw new ApiError("not-allowed");
    return { status: 200, body: {} };
  });

  mountWithGuard(router, requestPasswordReset, passwordAttempt, async (ctx, { body }) => {
    await ableToSend();
    const email = body.email.toLowerCase();
    await callLibrary(ctx, (options) =>
      auth.api.requestPasswordReset({ ...options, body: { email } }),
    );
    return { status: 200, body: {} };
  });

  mountWithGuard(router, listKeysOfReset, passwordAttempt, async (_ctx, { body: { token } }) => ({
    status: 200,
    body: { names: [...(await findKeyNames(db, await findResetUid(db, token)))] },
  }));

  mountWithGuard(router, resetPassword, passwordAttempt, async (ctx, { body }) => {
    await setNewPassword(deps, ctx, body);
    return { status: 200, body: {} };
  });

  mountWithGuard(router, changePassword, recentlyLoggedIn, async (ctx, { caller, body }) => {
    const { currentPassword, password } = body;
    const uid = caller.user.id;
    await loginLimits.countOwnPassword(ctx, uid);
    await refuseBreached(password);
    await loginLimits.hash(ctx, true, () =>
      callLibrary(ctx, (options) =>
        auth.api.changePassword({
          ...options,
          body: { currentPassword, newPassword: password, revokeOtherSessions: true },
        }),
      ),
    );
    await afterChange(logger, () => revokeEarlierLogins(db, uid));
    loginLimits.remember(ctx, uid);
    await reportChange(uid, "password.changed");
    return { status: 200, body: {} };
  });

  mountWithGuard(router, sendEmailConfirmation, loggedIn, async (ctx, { caller: { user } }) => {
    await ableToSend();
    await loginLimits.countOwnPassword(ctx, user.id);
    if (user.emailVerified) return { status: 200, body: {} };
    await callLibrary(ctx, (options) =>
      auth.api.sendVerificationEmail({ ...options, body: { email: user.email } }),
    );
    return { status: 200, body: {} };
  });

  mountWithGuard(router, confirmEmail, loginLimits.attempt, async (ctx, { body: { token } }) => {
    const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
    const uid = await findEmailToken(db, token);
    if (uid === null) throw new ApiError("email-link-invalid");
    if (login !== null && login.user.id !== uid) throw new ApiError("email-link-of-other-account");
    const earlier = await findNoticeRecipient(db, uid);
    await callLibrary(ctx, (options) => auth.api.verifyEmail({ ...options, query: { token } }));
    // Links that were sent to an earlier address no longer work.
    await afterChange(logger, () => deleteEmailTokens(db, uid));
    await reportChange(uid, "email.confirmed");
    if (earlier !== null) await afterChange(logger, () => tellEarlierAddress(uid, earlier));
    return { status: 200, body: {} };
  });

  mountWithGuard(router, changeEmail, recentlyLoggedIn, async (ctx, { caller: { user }, body }) => {
    const emails = await ableToSend();
    await loginLimits.countOwnPassword(ctx, user.id);
    const email = body.email.toLowerCase();
    const { secret } = await auth.$context;
    const token = await createEmailVerificationToken(
      secret,
      user.email,
      email,
      EMAIL_LINK_LIFETIME_MS / 1_000,
      { requestType: "change-email-verification", userId: user.id },
    );
    // The reply does not reveal whether the address is in use.
    if (!(await isConfirmed(db, email))) {
      await insertEmailToken(db, user.id, token);
      await emails.sendEmailChange({ to: email, displayName: user.name }, token);
    }
    return { status: 200, body: {} };
  });

  mountWithGuard(
    router,
    startTwoFactor,
    recentlyLoggedIn,
    async (ctx, { caller: { user }, body: { password } }) => {
      await loginLimits.countOwnPassword(ctx, user.id);
      const result = await loginLimits.hash(ctx, true, () =>
        callLibrary(ctx, (options) =>
          auth.api.enableTwoFactor({ ...options, body: { password, method: "totp" } }),
        ),
      );
      if (result.method !== "totp") throw new Error("The library did not return a secret");
      return {
        status: 200,
        body: { setupUrl: result.totpURI, recoveryCodes: result.backupCodes },
      };
    },
  );

  mountWithGuard(
    router,
    replaceRecoveryCodes,
    recentlyLoggedIn,
    async (ctx, { caller: { user }, body: { password } }) => {
      await loginLimits.countOwnPassword(ctx, user.id);
      const { backupCodes: recoveryCodes } = await loginLimits.hash(ctx, true, () =>
        callLibrary(ctx, (options) =>
          auth.api.generateBackupCodes({ ...options, body: { password } }),
        ),
      );
      await reportChange(user.id, "recovery-codes.replaced");
      return { status: 200, body: { recoveryCodes } };
    },
  );

  mountWithGuard(
    router,
    endTwoFactor,
    recentlyLoggedIn,
    async (ctx, { caller: { user }, body: { password } }) => {
      await loginLimits.countOwnPassword(ctx, user.id);
      await loginLimits.hash(ctx, true, () =>
        callLibrary(ctx, (options) =>
          auth.api.disableTwoFactor({ ...options, body: { password } }),
        ),
      );
      await reportChange(user.id, "two-factor.disabled");
      return { status: 200, body: {} };
    },
  );

  mountWithGuard(router, listPasskeys, loggedIn, async (ctx) => {
    const passkeys = await callLibrary(ctx, (options) => auth.api.listPasskeys(options));
    const body = passkeys.map(({ id, name, createdAt }) => ({
      id,
      name: name ?? "",
      createdAt: new Date(createdAt).toISOString(),
    }));
    return { status: 200, body };
  });

  mountWithGuard(router, startPasskey, recentlyLoggedIn, async (ctx, { caller: { user } }) => {
    if ((await countPasskeys(db, user.id)) >= PASSKEYS_MAX_COUNT) {
      throw new ApiError("too-many-passkeys");
    }
    const body = await callLibrary(ctx, (options) =>
      auth.api.generatePasskeyRegistrationOptions({ ...options, query: { name: user.address } }),
    );
    return { status: 200, body: { ...body } };
  });

  mountWithGuard(router, createPasskey, recentlyLoggedIn, async (ctx, { caller, body }) => {
    const { name, response } = body;
    await callLibrary(ctx, (options) =>
      auth.api.verifyPasskeyRegistration({ ...options, body: { name, response } }),
    );
    await reportChange(caller.user.id, "passkey.created");
    return { status: 200, body: {} };
  });

  mountWithGuard(
    router,
    deletePasskey,
    recentlyLoggedIn,
    async (ctx, { caller, params: { id } }) => {
      await callLibrary(ctx, (options) => auth.api.deletePasskey({ ...options, body: { id } }));
      await reportChange(caller.user.id, "passkey.deleted");
      return { status: 200, body: {} };
    },
  );
}
