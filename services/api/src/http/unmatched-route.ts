import type { Context, Middleware } from "koa";
import { ApiError } from "../errors.ts";

/** Responds to requests that match no route. The router only sets the status and the `Allow` header. */
export const rejectUnmatchedRoute: Middleware = async (ctx, next) => {
  if (hasValidPath(ctx)) await next();
  if (ctx.status === 404) throw new ApiError("not-found");
  if (ctx.status === 405 || ctx.status === 501) {
    throw new ApiError("method-not-allowed");
  }
};

/** Reading `ctx.path` throws for request targets such as `http://[`. */
function hasValidPath(ctx: Context): boolean {
  try {
    return ctx.path !== "";
  } catch {
    return false;
  }
}
