import type { Middleware } from "koa";

/** Cookies are secure where the site is: our own connection, whose TLS has ended before us, never is. */
export function cookieScheme(publicBaseUrl: string): Middleware {
  const isSecure = publicBaseUrl.startsWith("https://");
  return async (ctx, next) => {
    ctx.cookies.secure = isSecure;
    await next();
  };
}
