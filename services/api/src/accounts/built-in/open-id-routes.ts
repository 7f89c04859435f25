import {
  OPEN_ID_CALLBACK_PATH,
  type OpenIdError,
  startOpenIdLogin,
} from "@tapthru/proto/http/identity";
import { paths } from "@tapthru/proto/rules/paths";
import type { Context, Middleware } from "koa";
import { ApiError } from "../../errors.ts";
import { type ApiRouter, mountWithGuard } from "../../http/mount.ts";
import { callLibrary } from "./call-library.ts";
import type { LoginLimits } from "./login-limits.ts";
import { OPEN_ID_PROVIDER, type OpenIdLogin } from "./open-id.ts";

export interface OpenIdRoutesDependencies {
  openId: OpenIdLogin;
  publicBaseUrl: string;
  loginLimits: Pick<LoginLimits, "attempt">;
}

/** Logins at the OpenID provider: the call that starts one, and the address to which the provider returns. */
export function openIdRoutes(
  router: ApiRouter,
  { openId, publicBaseUrl, loginLimits: { attempt } }: OpenIdRoutesDependencies,
) {
  mountWithGuard(router, startOpenIdLogin, attempt, async (ctx, { body }) => {
    const { returnPath, confirmsIdentity } = body;
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
    return { status: 200, body: { url } };
  });

  /** A person whose provider does not respond gets a page. */
  const showUnavailable: Middleware = async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unavailable") throw error;
      ctx.redirect(loginPage(publicBaseUrl, "unavailable"));
    }
  };

  router.get(OPEN_ID_CALLBACK_PATH, showUnavailable, async (ctx: Context) => {
    await attempt(ctx);
    const headers = new Headers({ cookie: ctx.get("Cookie") });
    const query = Object.fromEntries(new URLSearchParams(ctx.querystring));
    const response = await openId.call(ctx, (auth) =>
      auth.api.callbackOAuth({
        method: "GET",
        headers,
        query,
        params: { id: OPEN_ID_PROVIDER },
        asResponse: true,
      }),
    );
    for (const cookie of response.headers.getSetCookie()) {
      ctx.res.appendHeader("Set-Cookie", cookie);
    }
    ctx.redirect(targetOf(response, publicBaseUrl));
  });
}

/** The page that the person asked for, or the login page with the error in our words. */
function targetOf(response: Response, publicBaseUrl: string): string {
  const target = URL.parse(response.headers.get("location") ?? "", publicBaseUrl);
  const error = target?.searchParams.get("error") ?? null;
  if (target?.origin === publicBaseUrl && error === null) return target.href;
  return loginPage(publicBaseUrl, errorOf(error));
}

function loginPage(publicBaseUrl: string, error: OpenIdError): string {
  return `${publicBaseUrl}${paths.login}?login_error=${error}`;
}

function errorOf(code: string | null): OpenIdError {
  if (code === "email_not_found") return "no_email";
  return code === "access_denied" ? "canceled" : "failed";
}
