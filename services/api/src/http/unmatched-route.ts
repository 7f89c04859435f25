import type { Context, Middleware } from "koa";
import { ApiError } from "../errors.ts";

/** Refuses what no route takes. The router leaves only a status, and in `Allow` the methods it knows. */
export const rejectUnmatchedRoute: Middleware = async (ctx, next) => {
  if (hasValidPath(ctx)) await next();
  if (ctx.status === 404) throw new ApiError("not-found");
  if (ctx.status === 405 || ctx.status === 501) {
    throw new ApiError("method-not-allowed");
  }
};

/** Koa throws on a request target such as `http://[`. */
function hasValidPath(ctx: Context): boolean {
  try {
    return ctx.path !== "";
  } catch {
    return false;
  }
}
