import type { Middleware } from "koa";

/** Sets `secure` on cookies by the public scheme, because nginx terminates TLS and this server sees plain HTTP. */
export function cookieScheme(publicBaseUrl: string): Middleware {
  const isSecure = publicBaseUrl.startsWith("https://");
  return async (ctx, next) => {
    ctx.cookies.secure = isSecure;
    await next();
  };
}
