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
