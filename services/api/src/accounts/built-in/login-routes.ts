import type { Router } from "@koa/router";
import {
  getIdentity,
  getToken,
  signInIdentity,
  signInWithPasskey,
  signOutIdentity,
  signUpIdentity,
  startPasskeyLogin,
  verifyCode,
} from "@tapthru/proto/http/identity";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import type { Context } from "koa";
import { ApiError } from "../../errors.ts";
import { type Guard, mount } from "../../http/mount.ts";
import type { RateLimit } from "../../http/rate-limits.ts";
import type { CheckInvitation } from "../invitations.ts";
import { placeholderEmail } from "./addresses.ts";
import type { Auth } from "./auth.ts";
import { callLibrary, type LibraryOptions, libraryErrorCode } from "./call-library.ts";
import type { OpenIdLogin } from "./open-id.ts";
import { refuseBreached } from "./passwords.ts";
import { findAccount, hasLogin } from "./queries.ts";
import { recordLoginChange } from "./record-login-change.ts";

export interface LoginRoutesDependencies {
  auth: Auth;
  db: Db<"exists" | "maybeOne" | "query">;
  openId: OpenIdLogin | null;
  hasPasswordLogin: boolean;
  sendsEmail: boolean;
  /** Rejects if this person may not sign up. */
  checkInvitation: CheckInvitation;
  /** Counts attempts by address and by account. */
  identityLimit: RateLimit;
  publicAccess: Guard<void>;
}

/** The calls with which people sign up, log in and log out. */
export function loginRoutes(router: Router, deps: LoginRoutesDependencies) {
  const { auth, db, openId, hasPasswordLogin, sendsEmail, checkInvitation } = deps;
  const { identityLimit, publicAccess } = deps;
  const passwordAttempt = passwordGuard(identityLimit, hasPasswordLogin);

  mount(router, getIdentity, publicAccess, async (ctx) => {
    const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
    const account = login && (await findAccount(db, login.user.id));
    if (login === null || account === null) return { status: 200, body: { identity: null } };
    const { address: email, ...shown } = account;
    const hasPassword = hasPasswordLogin && shown.hasPassword;
    const identity = { uid: login.user.id, email, ...shown, hasPassword };
    return { status: 200, body: { identity } };
  });

  mount(router, getToken, publicAccess, async (ctx) => {
    const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
    if (login === null) throw new ApiError("login-required");
    const { token } = await callLibrary(ctx, (options) => auth.api.getToken(options));
    return { status: 200, body: { token } };
  });

  mount(router, signUpIdentity, passwordAttempt, async (ctx, { body }) => {
    const { displayName: name, email, password, invitation } = body;
    await countAccount(identityLimit, ctx, email);
    await checkInvitation(invitation);
    await refuseBreached(password);
    const address = email.toLowerCase();
    const signUp = (loginEmail: string) =>
      callLibrary(ctx, (options) =>
        auth.api
          .signUpEmail({ ...options, body: { name, email: loginEmail, address, password } })
          .catch((error) => {
            if (!isAddressTaken(error)) throw error;
            throw new ApiError("email-taken", { field: "email" });
          }),
      );
    // Without emails no user could ever confirm the address.
    const isTaken = sendsEmail && (await hasLogin(db, address));
    await signUp(isTaken ? placeholderEmail() : address);
    return { status: 200, body: {} };
  });

  mount(router, signInIdentity, passwordAttempt, async (ctx, { body }) => {
    await countAccount(identityLimit, ctx, body.email);
    const email = body.email.toLowerCase();
    const result = await callLibrary(ctx, (options) =>
      auth.api.signInEmail({ ...options, body: { email, password: body.password } }),
    );
    return { status: 200, body: { needsCode: "twoFactorRedirect" in result } };
  });

  mount(router, verifyCode, passwordAttempt, async (ctx, { body: { code } }) => {
    // Who is logged in turns two-factor login on, for which only the app's code counts.
    const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
    const isOfApp = login !== null || /^\d{6}$/.test(code);
    const verify = isOfApp ? auth.api.verifyTOTP : auth.api.verifyBackupCode;
    await callLibrary(ctx, (options) => verify({ ...options, body: { code } }));
    if (login !== null) await recordLoginChange(db, login.user.id, "two-factor.enabled");
    return { status: 200, body: {} };
  });

  mount(router, startPasskeyLogin, passwordAttempt, async (ctx) => {
    const body = await callLibrary(ctx, (options) =>
      auth.api.generatePasskeyAuthenticationOptions(options),
    );
    return { status: 200, body: { ...body } };
  });

  mount(router, signInWithPasskey, passwordAttempt, async (ctx, { body: { response } }) => {
    await callLibrary(ctx, (options) =>
      // The library checks every part of it.
      auth.api.verifyPasskeyAuthentication({ ...options, body: { response: response as never } }),
    );
    return { status: 200, body: {} };
  });

  mount(router, signOutIdentity, publicAccess, async (ctx) => {
    const signOut = (options: LibraryOptions) => (library: Auth) =>
      library.api.signOut({ ...options, body: { callbackURL: "/", disableRedirect: true } });
    const { url } = await callLibrary(ctx, (options) =>
      openId === null ? signOut(options)(auth) : openId.call(signOut(options)),
    );
    return { status: 200, body: { redirectUrl: url ?? null } };
  });
}

/** Counts by address; not found where people log in with OpenID Connect only: then there are no passkeys either. */
export function passwordGuard(limit: RateLimit, hasPasswordLogin: boolean): Guard<void> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    if (!hasPasswordLogin) throw new ApiError("not-found");
  };
}

/** Counts attempts on one account, from all addresses. */
export function countAccount(limit: RateLimit, ctx: Context, email: string): Promise<void> {
  return limit.countVisitor(ctx, `identity:${email.toLowerCase()}`);
}

/** Also if another sign-up has taken it in the meantime. */
function isAddressTaken(error: unknown): boolean {
  const code = libraryErrorCode(error) ?? "";
  return code.startsWith("USER_ALREADY_EXISTS") || code === "FAILED_TO_CREATE_USER";
}
