import { emailTaken, type Login, usernameTaken } from "@tapthru/proto/accounts";
import { loginRequired, unavailable } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/identity";
import { OPEN_ID_CALLBACK_PATH, type OpenIdError } from "@tapthru/proto/identity";
import { normalized, usernameLookalikeKey } from "@tapthru/proto/rules/names";
import { paths } from "@tapthru/proto/rules/paths";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import { createMissingUser } from "../accounts/accounts.ts";
import { callLibrary, libraryErrorCode, signOut } from "../accounts/built-in/call-library.ts";
import { OPEN_ID_PROVIDER, type OpenIdLogin } from "../accounts/built-in/open-id.ts";
import {
  ACCOUNTS_OF_UNCONFIRMED_ADDRESS_MAX,
  confirmAddress,
  findIdentity,
  findLoginsOf,
  placeholderEmail,
} from "../accounts/built-in/queries.ts";
import { checkInvitation } from "../accounts/invitations.ts";
import { afterChange, reportChange } from "../accounts/notices.ts";
import type { ApiRouter } from "../callers/handlers.ts";
import { guarded, handlers } from "../callers/handlers.ts";
import { findUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import type { LoginApi } from "./login-api.ts";
import { identityReply, loginReply, openSession } from "./own-sessions.ts";

export type LoginCalls = Pick<
  typeof calls,
  | "signUpIdentity"
  | "signInIdentity"
  | "verifyCode"
  | "getIdentity"
  | "startPasskeyLogin"
  | "signInWithPasskey"
  | "signOutIdentity"
>;

const Nothing = z.object({});

const loginAttempt = (api: LoginApi) => api.loginAttempt;

export const loginHandlers = handlers<LoginCalls, LoginApi>(calls, {
  signUpIdentity: guarded(
    (api) => api.signUpAttempt,
    async (api, { ctx, body }) => {
      const { auth, db, signUpMode, emails, loginLimits } = api;
      const { displayName: name, email, password, invitation } = body;
      await checkInvitation(db, signUpMode, invitation);
      await refuseBreached(password);
      await refuseTakenName(db, name);
      const address = email.toLowerCase();
      const signUp = (loginEmail: string) =>
        callLibrary(ctx, (options) =>
          auth.api.signUpEmail({ ...options, body: { name, email: loginEmail, address, password } }).catch((error) => {
            const code = libraryErrorCode(error);
            // The second: another sign-up has taken it in the meantime.
            const isTaken = code.startsWith("USER_ALREADY_EXISTS") || code === "FAILED_TO_CREATE_USER";
            throw isTaken ? new ApiError(emailTaken, { field: "email" }) : error;
          }),
        );
      const { user, token } = await loginLimits.hash(ctx, false, async () => {
        // Without emails no user could ever confirm the address.
        if (emails === null) return signUp(address);
        const logins = await findLoginsOf(db, address);
        const unconfirmed = logins.filter(({ isConfirmed }) => !isConfirmed);
        if (unconfirmed.length >= ACCOUNTS_OF_UNCONFIRMED_ADDRESS_MAX) {
          throw new ApiError(emailTaken, { field: "email" });
        }
        if (logins.length > 0) return signUp(placeholderEmail());
        // Another sign-up may have taken it meanwhile.
        return signUp(address).catch((error) => {
          if (!(error instanceof ApiError) || error.code !== emailTaken.code) throw error;
          return signUp(placeholderEmail());
        });
      });
      // The operator knows who they are.
      if (emails === null && invitation !== undefined) await confirmAddress(db, user.id);
      const login = await openLogin(api, ctx, token, { username: name, invitation }).catch(async (error) => {
        // Without a user, so that the person can sign up with the same address again.
        await afterChange(api, () =>
          db.query(sql.type(Nothing)`
            DELETE FROM identity."user"
            WHERE id = ${user.id} AND NOT EXISTS (SELECT FROM users WHERE firebase_uid = ${user.id})
          `),
        );
        throw error;
      });
      loginLimits.remember(ctx, user.id);
      return login;
    },
  ),

  signInIdentity: guarded(loginAttempt, async (api, { ctx, caller: known, body }) => {
    const { auth, db, loginLimits } = api;
    const email = body.email.toLowerCase();
    await loginLimits.countGuess(ctx, known, email);
    const result = await loginLimits.hash(ctx, known?.email === email, async () => {
      const logins = (await findLoginsOf(db, email)).map((login) => login.email);
      const last = logins.pop() ?? email;
      const signIn = (loginEmail: string) =>
        callLibrary(ctx, (options) =>
          auth.api.signInEmail({ ...options, body: { email: loginEmail, password: body.password } }),
        );
      for (const loginEmail of logins) {
        const result = await signIn(loginEmail).catch(ifOtherPassword);
        if (result !== null) return result;
      }
      return signIn(last);
    });
    if ("twoFactorRedirect" in result) return { login: null };
    loginLimits.remember(ctx, result.user.id, known);
    return { login: await openLogin(api, ctx, result.token) };
  }),

  verifyCode: guarded(loginAttempt, async (api, { ctx, caller: known, body: { code } }) => {
    const { auth, findLogin, loginLimits } = api;
    // Who is logged in turns two-factor login on, for which only the app's code counts.
    const login = await findLogin(ctx);
    const isOfApp = login !== null || /^\d{6}$/.test(code);
    const verify = isOfApp ? auth.api.verifyTOTP : auth.api.verifyBackupCode;
    const { user, token } = await callLibrary(ctx, (options) => verify({ ...options, body: { code } }));
    loginLimits.remember(ctx, user.id, known);
    if (login?.user.twoFactorEnabled === false) await reportChange(api, user.id, "two-factor.enabled");
    const owner = login && (await findUser(api.db, user.id));
    return owner === null ? openLogin(api, ctx, token) : loginReply(api, owner, user.id);
  }),

  getIdentity: guarded(
    (api) => api.loggedIn,
    async (api, { caller: { user } }) => ({
      ...(await identityReply(api, user.id, user.address)),
      displayName: user.name,
    }),
  ),

  startPasskeyLogin: guarded(loginAttempt, async ({ auth }, { ctx }) => {
    const call = auth.api.generatePasskeyAuthenticationOptions;
    return { ...(await callLibrary(ctx, (options) => call(options))) };
  }),

  signInWithPasskey: guarded(loginAttempt, async (api, { ctx, caller: known, body: { response } }) => {
    const { auth, loginLimits } = api;
    const { session } = await callLibrary(ctx, (options) =>
      // The library checks every part of it.
      auth.api.verifyPasskeyAuthentication({ ...options, body: { response: response as never } }),
    );
    loginLimits.remember(ctx, session.userId, known);
    return openLogin(api, ctx, session.token);
  }),

  signOutIdentity: async (api, { ctx }) => ({ redirectUrl: await signOut(api, ctx) }),
});

function ifOtherPassword(error: unknown): null {
  if (error instanceof ApiError && error.code === calls.wrongCredentials.code) return null;
  throw error;
}

/** Creates the user if there is none, as after an interrupted sign-up. @param username null: one like the name at the provider */
async function openLogin(
  api: LoginApi,
  ctx: Context,
  token: string | null | undefined,
  { username = null, invitation }: { username?: string | null; invitation?: string | undefined } = {},
): Promise<Login> {
  const identity = await findIdentity(api.db, token);
  if (identity === null) throw new ApiError(loginRequired);
  await api.sessions.read(ctx);
  const { uid } = identity;
  const found = (await findUser(api.db, uid)) ?? (await createMissingUser(api, identity, { username, invitation }));
  return loginReply(api, await openSession(api, ctx, found, identity), uid);
}

/** @throws ApiError if another user has the name, or one that looks like it */
async function refuseTakenName(db: LoginApi["db"], name: string): Promise<void> {
  const isTaken = await db.exists(sql.type(Nothing)`
    SELECT FROM users WHERE username = ${name} OR username_lookalike_key = ${usernameLookalikeKey(name)}
  `);
  if (isTaken) throw new ApiError(usernameTaken, { field: "username" });
}

type OpenIdApi = LoginApi & { openId: OpenIdLogin };

const openIdHandlers = handlers<Pick<typeof calls, "startOpenIdLogin">, OpenIdApi>(calls, {
  startOpenIdLogin: guarded(
    (api) => api.loginLimits.attempt,
    async ({ openId, publicBaseUrl }, { ctx, body: { returnPath, confirmsIdentity } }) => {
      const { url } = await callLibrary(ctx, (options) =>
        openId.call(ctx, (auth) =>
          auth.api.signInSocial({
            ...options,
            body: {
              provider: OPEN_ID_PROVIDER,
              callbackURL: publicBaseUrl + returnPath,
              errorCallbackURL: publicBaseUrl + paths.login,
              ...(confirmsIdentity && { additionalParams: { prompt: "login", max_age: "0" } }),
            },
          }),
        ),
      );
      if (url === undefined) throw new ApiError(unavailable);
      return { url };
    },
  ),
});

export function openIdRoutes(router: ApiRouter, api: OpenIdApi) {
  const { openId, publicBaseUrl, loginLimits } = api;
  openIdHandlers(router, api);

  const redirectToLogin = (ctx: Context, error: OpenIdError) => {
    ctx.state.errorCode = `openid-${error}`;
    ctx.redirect(`${publicBaseUrl}${paths.login}?login_error=${error}`);
  };

  router.get(OPEN_ID_CALLBACK_PATH, async (ctx: Context) => {
    try {
      await loginLimits.attempt(ctx);
      const headers = new Headers({ cookie: ctx.get("Cookie") });
      const query = Object.fromEntries(new URLSearchParams(ctx.querystring));
      const params = { id: OPEN_ID_PROVIDER };
      const response = await openId.call(ctx, (auth) =>
        auth.api.callbackOAuth({ method: "GET", headers, query, params, asResponse: true }),
      );
      for (const cookie of response.headers.getSetCookie()) {
        ctx.res.appendHeader("Set-Cookie", cookie);
      }
      // The page that the person asked for, or the login page with the error in our words.
      const target = URL.parse(response.headers.get("location") ?? "", publicBaseUrl);
      const error = target?.searchParams.get("error") ?? null;
      const isOwn = target?.origin === publicBaseUrl && error === null;
      if (isOwn) ctx.redirect(target.href);
      else redirectToLogin(ctx, errorOf(error));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== unavailable.code) throw error;
      // A person whose provider does not respond gets a page.
      redirectToLogin(ctx, "unavailable");
    }
  });
}

function errorOf(code: string | null): OpenIdError {
  if (code === "email_not_found") return "no_email";
  return code === "access_denied" ? "canceled" : "failed";
}

const REFUSED_COUNT = 10_000;

/** The list takes memory and time to unpack: it is loaded with the first new password. */
let breached: Promise<ReadonlySet<string>> | undefined;

/** @throws ApiError if the password is one of the most common leaked ones, in any case of its letters */
export async function refuseBreached(password: string): Promise<void> {
  breached ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"].slice(0, REFUSED_COUNT)),
  );
  if (!(await breached).has(normalized("NFKC", password).toLowerCase())) return;
  throw new ApiError(calls.breachedPassword, { field: "password" });
}
