import { loginRequired, notFound, recentLoginRequired } from "@tapthru/proto/general-errors";
import { emailNotConfigured } from "@tapthru/proto/identity";
import { RECENT_LOGIN_MS } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import type { BuiltIn } from "../accounts/built-in/built-in-identity.ts";
import type { Emails } from "../accounts/built-in/emails.ts";
import type { Api } from "../api.ts";
import type { Guard } from "../callers/guards.ts";
import { ApiError } from "../http/errors.ts";
import { createLoginLimits } from "./login-limits.ts";

export type LoginApi = ReturnType<typeof createLoginApi>;

export function createLoginApi(api: Api, builtIn: BuiltIn) {
  const { findLogin, hasPasswordLogin } = builtIn;
  const loginLimits = createLoginLimits({ ...api, identityLimit: api.rateLimits("identity") });

  /** Not found where people log in with OpenID Connect only: then there are no passkeys either. */
  const ifPasswordLogin =
    <Caller>(guard: Guard<Caller>): Guard<Caller> =>
    async (ctx) => {
      const caller = await guard(ctx);
      if (!hasPasswordLogin) throw new ApiError(notFound);
      return caller;
    };

  /** For logins: one that could open no session must not use up a code or an invitation. */
  const withSessions =
    <Caller>(guard: Guard<Caller>): Guard<Caller> =>
    async (ctx) => {
      const caller = await guard(ctx);
      await api.sessionStore.check(ctx.state.redisBudget);
      return caller;
    };

  const loggedIn = async (ctx: Context) => {
    const login = await findLogin(ctx);
    if (login === null) {
      await loginLimits.countNetwork(ctx);
      throw new ApiError(loginRequired);
    }
    await loginLimits.countUser(ctx, login.user.id);
    return login;
  };

  return {
    ...api,
    ...builtIn,
    loginLimits,
    passwordAttempt: ifPasswordLogin(loginLimits.attempt),
    loginAttempt: withSessions(ifPasswordLogin(loginLimits.attempt)),
    signUpAttempt: withSessions(ifPasswordLogin(loginLimits.countNetwork)),
    loggedIn,
    async ableToSend(): Promise<Emails> {
      if (api.emails === null) throw new ApiError(emailNotConfigured);
      await api.emails.check();
      return api.emails;
    },
    recentlyLoggedIn: async (ctx: Context) => {
      const login = await loggedIn(ctx);
      if (Date.now() - login.session.createdAt.getTime() <= RECENT_LOGIN_MS) return login;
      throw new ApiError(recentLoginRequired);
    },
  };
}
