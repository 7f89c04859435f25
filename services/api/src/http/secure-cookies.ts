import type { Middleware } from "koa";

function isHttps(publicBaseUrl: string): boolean {
  return publicBaseUrl.startsWith("https://");
}

/** Browsers accept a cookie with the prefix `__Host-` only over https, for this host alone. */
export function cookieName(name: string, publicBaseUrl: string): string {
  return isHttps(publicBaseUrl) ? `__Host-${name}` : name;
}

/** Sets `secure` on all cookies by the public scheme, because nginx terminates TLS and this server sees plain HTTP. */
export function secureCookies(publicBaseUrl: string): Middleware {
  const isSecure = isHttps(publicBaseUrl);
  return async (ctx, next) => {
    ctx.cookies.secure = isSecure;
    await next();
  };
}
