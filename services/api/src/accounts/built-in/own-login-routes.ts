import type { Router } from "@koa/router";
import {
  changeEmail,
  changePassword,
  confirmEmail,
  createPasskey,
  deleteIdentity,
  deletePasskey,
  endTwoFactor,
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
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { createEmailVerificationToken } from "better-auth/api";
import type { Context } from "koa";
import { ApiError } from "../../errors.ts";
import { mount } from "../../http/mount.ts";
import type { RateLimit } from "../../http/rate-limits.ts";
import type { Auth } from "./auth.ts";
import { callLibrary } from "./call-library.ts";
import type { Emails } from "./emails.ts";
import { countAccount, passwordGuard } from "./login-routes.ts";
import { refuseBreached } from "./passwords.ts";
import {
  countPasskeys,
  deleteEmailTokens,
  deleteUnusedIdentity,
  insertEmailToken,
  isConfirmed,
  revokeEarlierLogins,
  useEmailToken,
} from "./queries.ts";
import { recordLoginChange } from "./record-login-change.ts";

export interface OwnLoginRoutesDependencies {
  auth: Auth;
  db: Db<"exists" | "maybeOne" | "maybeOneFirst" | "oneFirst" | "query">;
  hasPasswordLogin: boolean;
  /** Null: this installation cannot send emails. */
  emails: Emails | null;
  identityLimit: RateLimit;
}

/** The calls with which people change how they log in. */
export function ownLoginRoutes(router: Router, deps: OwnLoginRoutesDependencies) {
  const { auth, db, identityLimit } = deps;
  const passwordAttempt = passwordGuard(identityLimit, deps.hasPasswordLogin);
  const attempt = (ctx: Context) => identityLimit.countAddress(ctx);

  const loggedIn = async (ctx: Context) => {
    await identityLimit.countAddress(ctx);
    const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
    if (login === null) throw new ApiError("login-required");
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

  mount(router, renameIdentity, loggedIn, async (ctx, { caller, body }) => {
    await callLibrary(ctx, (options) =>
      auth.api.updateUser({ ...options, body: { name: body.displayName } }),
    );
    await recordLoginChange(db, caller.user.id, "display-name.changed");
    return { status: 200, body: {} };
  });

  mount(router, deleteIdentity, recentlyLoggedIn, async (_ctx, { caller }) => {
    // Otherwise its user would remain, without a login.
    if (!(await deleteUnusedIdentity(db, caller.user.id))) throw new ApiError("not-allowed");
    return { status: 200, body: {} };
  });

  mount(router, requestPasswordReset, passwordAttempt, async (ctx, { body }) => {
    await ableToSend();
    await countAccount(identityLimit, ctx, body.email);
    const email = body.email.toLowerCase();
    await callLibrary(ctx, (options) =>
      auth.api.requestPasswordReset({ ...options, body: { email } }),
    );
    return { status: 200, body: {} };
  });

  mount(router, resetPassword, passwordAttempt, async (ctx, { body: { token, password } }) => {
    await refuseBreached(password);
    await callLibrary(ctx, (options) =>
      auth.api.resetPassword({ ...options, body: { token, newPassword: password } }),
    );
    return { status: 200, body: {} };
  });

  mount(router, changePassword, recentlyLoggedIn, async (ctx, { caller, body }) => {
    const { currentPassword, password } = body;
    await countAccount(identityLimit, ctx, caller.user.address);
    await refuseBreached(password);
    await callLibrary(ctx, (options) =>
      auth.api.changePassword({
        ...options,
        body: { currentPassword, newPassword: password, revokeOtherSessions: true },
      }),
    );
    await revokeEarlierLogins(db, caller.user.id);
    await recordLoginChange(db, caller.user.id, "password.changed");
    return { status: 200, body: {} };
  });

  mount(router, sendEmailConfirmation, loggedIn, async (ctx, { caller: { user } }) => {
    await ableToSend();
    await countAccount(identityLimit, ctx, user.address);
    if (user.emailVerified) return { status: 200, body: {} };
    await callLibrary(ctx, (options) =>
      auth.api.sendVerificationEmail({ ...options, body: { email: user.email } }),
    );
    return { status: 200, body: {} };
  });

  mount(router, confirmEmail, attempt, async (ctx, { body: { token } }) => {
    const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
    const uid = await useEmailToken(db, token);
    const isOfOther = login !== null && login.user.id !== uid;
    if (uid === null || isOfOther) throw new ApiError("email-link-invalid");
    await callLibrary(ctx, (options) => auth.api.verifyEmail({ ...options, query: { token } }));
    // Links that were sent to an earlier address no longer work.
    await deleteEmailTokens(db, uid);
    await recordLoginChange(db, uid, "email.confirmed");
    return { status: 200, body: {} };
  });

  mount(router, changeEmail, recentlyLoggedIn, async (ctx, { caller: { user }, body }) => {
    const emails = await ableToSend();
    await countAccount(identityLimit, ctx, user.address);
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

  mount(
    router,
    startTwoFactor,
    recentlyLoggedIn,
    async (ctx, { caller: { user }, body: { password } }) => {
      await countAccount(identityLimit, ctx, user.address);
      const result = await callLibrary(ctx, (options) =>
        auth.api.enableTwoFactor({ ...options, body: { password, method: "totp" } }),
      );
      if (result.method !== "totp") throw new Error("The library did not return a secret");
      return {
        status: 200,
        body: { setupUrl: result.totpURI, recoveryCodes: result.backupCodes },
      };
    },
  );

  mount(
    router,
    replaceRecoveryCodes,
    recentlyLoggedIn,
    async (ctx, { caller: { user }, body: { password } }) => {
      await countAccount(identityLimit, ctx, user.address);
      const { backupCodes: recoveryCodes } = await callLibrary(ctx, (options) =>
        auth.api.generateBackupCodes({ ...options, body: { password } }),
      );
      await recordLoginChange(db, user.id, "recovery-codes.replaced");
      return { status: 200, body: { recoveryCodes } };
    },
  );

  mount(
    router,
    endTwoFactor,
    recentlyLoggedIn,
    async (ctx, { caller: { user }, body: { password } }) => {
      await countAccount(identityLimit, ctx, user.address);
      await callLibrary(ctx, (options) =>
        auth.api.disableTwoFactor({ ...options, body: { password } }),
      );
      await recordLoginChange(db, user.id, "two-factor.disabled");
      return { status: 200, body: {} };
    },
  );

  mount(router, listPasskeys, loggedIn, async (ctx) => {
    const passkeys = await callLibrary(ctx, (options) => auth.api.listPasskeys(options));
    const body = passkeys.map(({ id, name, createdAt }) => ({
      id,
      name: name ?? "",
      createdAt: new Date(createdAt).toISOString(),
    }));
    return { status: 200, body };
  });

  mount(router, startPasskey, recentlyLoggedIn, async (ctx, { caller: { user } }) => {
    if ((await countPasskeys(db, user.id)) >= PASSKEYS_MAX_COUNT) {
      throw new ApiError("too-many-passkeys");
    }
    const body = await callLibrary(ctx, (options) =>
      auth.api.generatePasskeyRegistrationOptions({ ...options, query: { name: user.address } }),
    );
    return { status: 200, body: { ...body } };
  });

  mount(router, createPasskey, recentlyLoggedIn, async (ctx, { caller, body }) => {
    const { name, response } = body;
    await callLibrary(ctx, (options) =>
      auth.api.verifyPasskeyRegistration({ ...options, body: { name, response } }),
    );
    await recordLoginChange(db, caller.user.id, "passkey.created");
    return { status: 200, body: {} };
  });

  mount(router, deletePasskey, recentlyLoggedIn, async (ctx, { caller, params: { id } }) => {
    await callLibrary(ctx, (options) => auth.api.deletePasskey({ ...options, body: { id } }));
    await recordLoginChange(db, caller.user.id, "passkey.deleted");
    return { status: 200, body: {} };
  });
}
