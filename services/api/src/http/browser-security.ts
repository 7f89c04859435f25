import type { Middleware } from "koa";
import { ApiError } from "../errors.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Rejects cross-site requests (CSRF). Requests without cookies, such as those of scripts, may omit Origin.
 */
export function requireSameOrigin(publicBaseUrl: string): Middleware {
  return async (ctx, next) => {
    const origin = ctx.headers.origin;
    const trusted =
      SAFE_METHODS.has(ctx.method) ||
      origin === publicBaseUrl ||
      (origin === undefined && ctx.headers.cookie === undefined);
    if (!trusted) throw new ApiError("bad-origin");
    await next();
  };
}

/** Responses of the api must not be cached. */
export const replyHeaders: Middleware = async (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  ctx.set("X-Content-Type-Options", "nosniff");
  await next();
};

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
