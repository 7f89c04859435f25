import type { Db } from "@tapthru/core/platform/postgres/postgres";
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
import { ApiError } from "../../errors.ts";
import type { Guard } from "../../http/guards.ts";
import { type ApiRouter, mount, mountWithGuard } from "../../http/mount.ts";
import type { CheckInvitation } from "../invitations.ts";
import { placeholderEmail } from "./addresses.ts";
import type { Auth } from "./auth.ts";
import { callLibrary, type LibraryOptions, libraryErrorCode } from "./call-library.ts";
import type { LoginLimits } from "./login-limits.ts";
import type { OpenIdLogin } from "./open-id.ts";
import { refuseBreached } from "./passwords.ts";
import { findAccount, hasLogin } from "./queries.ts";
import type { ReportChange } from "./report-change.ts";

export interface LoginRoutesDependencies {
  auth: Auth;
  db: Db<"exists" | "maybeOne">;
  openId: OpenIdLogin | null;
  hasPasswordLogin: boolean;
  sendsEmail: boolean;
  /** Rejects if this person may not sign up. */
  checkInvitation: CheckInvitation;
  loginLimits: LoginLimits;
  reportChange: ReportChange;
}

/** The calls with which people sign up, log in and log out. */
export function loginRoutes(router: ApiRouter, deps: LoginRoutesDependencies) {
  const { auth, db, openId, hasPasswordLogin, sendsEmail, checkInvitation } = deps;
  const { loginLimits, reportChange } = deps;
  const passwordAttempt = ifPasswordLogin(hasPasswordLogin, loginLimits.attempt);
  const signUpAttempt = ifPasswordLogin(hasPasswordLogin, loginLimits.countNetwork);

  mount(router, getIdentity, async (ctx) => {
    const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
    const account = login && (await findAccount(db, login.user.id));
    if (login === null || account === null) return { status: 200, body: { identity: null } };
    const { address: email, ...shown } = account;
    const hasPassword = hasPasswordLogin && shown.hasPassword;
    const identity = { uid: login.user.id, email, ...shown, hasPassword };
    return { status: 200, body: { identity } };
  });

  mount(router, getToken, async (ctx) => {
    const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
    if (login === null) throw new ApiError("login-required");
    const { token } = await callLibrary(ctx, (options) => auth.api.getToken(options));
    return { status: 200, body: { token } };
  });

  mountWithGuard(router, signUpIdentity, signUpAttempt, async (ctx, { body }) => {
    const { displayName: name, email, password, invitation } = body;
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
    const { user } = await loginLimits.hash(ctx, false, async () => {
      // Without emails no user could ever confirm the address.
      if (!sendsEmail) return signUp(address);
      if (await hasLogin(db, address)) return signUp(placeholderEmail());
      // Another sign-up may have taken it meanwhile.
      return signUp(address).catch((error) => {
        if (error instanceof ApiError && error.code === "email-taken") {
          return signUp(placeholderEmail());
        }
        throw error;
      });
    });
    loginLimits.remember(ctx, user.id);
    return { status: 200, body: {} };
  });

  mountWithGuard(router, signInIdentity, passwordAttempt, async (ctx, { caller: known, body }) => {
    const email = body.email.toLowerCase();
    await loginLimits.countGuess(ctx, known, email);
    const result = await loginLimits.hash(ctx, known?.email === email, () =>
      callLibrary(ctx, (options) =>
        auth.api.signInEmail({ ...options, body: { email, password: body.password } }),
      ),
    );
    if ("twoFactorRedirect" in result) return { status: 200, body: { needsCode: true } };
    loginLimits.remember(ctx, result.user.id, known);
    return { status: 200, body: { needsCode: false } };
  });

  mountWithGuard(
    router,
    verifyCode,
    passwordAttempt,
    async (ctx, { caller: known, body: { code } }) => {
      // Who is logged in turns two-factor login on, for which only the app's code counts.
      const login = await callLibrary(ctx, (options) => auth.api.getSession(options));
      const isOfApp = login !== null || /^\d{6}$/.test(code);
      const verify = isOfApp ? auth.api.verifyTOTP : auth.api.verifyBackupCode;
      const { user } = await callLibrary(ctx, (options) => verify({ ...options, body: { code } }));
      loginLimits.remember(ctx, user.id, known);
      if (login !== null && !login.user.twoFactorEnabled) {
        await reportChange(user.id, "two-factor.enabled");
      }
      return { status: 200, body: {} };
    },
  );

  mountWithGuard(router, startPasskeyLogin, passwordAttempt, async (ctx) => {
    const body = await callLibrary(ctx, (options) =>
      auth.api.generatePasskeyAuthenticationOptions(options),
    );
    return { status: 200, body: { ...body } };
  });

  mountWithGuard(
    router,
    signInWithPasskey,
    passwordAttempt,
    async (ctx, { caller: known, body: { response } }) => {
      const { session } = await callLibrary(ctx, (options) =>
        // The library checks every part of it.
        auth.api.verifyPasskeyAuthentication({ ...options, body: { response: response as never } }),
      );
      loginLimits.remember(ctx, session.userId, known);
      return { status: 200, body: {} };
    },
  );

  mount(router, signOutIdentity, async (ctx) => {
    const signOut = (options: LibraryOptions) => (library: Auth) =>
      library.api.signOut({ ...options, body: { callbackURL: "/", disableRedirect: true } });
    const { url } = await callLibrary(ctx, (options) =>
      openId === null ? signOut(options)(auth) : openId.call(ctx, signOut(options)),
    );
    return { status: 200, body: { redirectUrl: url ?? null } };
  });
}

/** Not found where people log in with OpenID Connect only: then there are no passkeys either. */
export function ifPasswordLogin<Caller>(
  hasPasswordLogin: boolean,
  guard: Guard<Caller>,
): Guard<Caller> {
  return async (ctx) => {
    const caller = await guard(ctx);
    if (!hasPasswordLogin) throw new ApiError("not-found");
    return caller;
  };
}

/** Also if another sign-up has taken it in the meantime. */
function isAddressTaken(error: unknown): boolean {
  const code = libraryErrorCode(error) ?? "";
  return code.startsWith("USER_ALREADY_EXISTS") || code === "FAILED_TO_CREATE_USER";
}
