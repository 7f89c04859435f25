import * as calls from "@tapthru/proto/http/identity";
import { paths } from "@tapthru/proto/rules/paths";
import type { Context } from "koa";
import { ApiError } from "../../errors.ts";
import { guarded, handlers } from "../../handlers.ts";
import type { ApiRouter } from "../../http/mount.ts";
import { callLibrary, type LoginApi } from "./login-api.ts";
import { OPEN_ID_PROVIDER, type OpenIdLogin } from "./open-id.ts";

type OpenIdApi = LoginApi & { openId: OpenIdLogin };

/** Starts a login at the OpenID provider. */
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
      if (url === undefined) throw new ApiError("unavailable");
      return { url };
    },
  ),
});

/** Logins at the OpenID provider: the call that starts one, and the address to which the provider returns. */
export function openIdRoutes(router: ApiRouter, api: OpenIdApi) {
  const { openId, publicBaseUrl, loginLimits } = api;
  openIdHandlers(router, api);

  const loginPage = (error: calls.OpenIdError) =>
    `${publicBaseUrl}${paths.login}?login_error=${error}`;

  router.get(calls.OPEN_ID_CALLBACK_PATH, async (ctx: Context) => {
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
      ctx.redirect(isOwn ? target.href : loginPage(errorOf(error)));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unavailable") throw error;
      // A person whose provider does not respond gets a page.
      ctx.redirect(loginPage("unavailable"));
    }
  });
}

function errorOf(code: string | null): calls.OpenIdError {
  if (code === "email_not_found") return "no_email";
  return code === "access_denied" ? "canceled" : "failed";
}
