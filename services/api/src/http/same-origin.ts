import type { Middleware } from "koa";
import { ApiError } from "../errors.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses requests that another site made a browser send. Callers without any cookie, such as
 * scripts, carry nobody's rights and may leave Origin out.
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
