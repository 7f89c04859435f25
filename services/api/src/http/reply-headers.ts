import type { Middleware } from "koa";

/** Responses of the api must not be cached. */
export const replyHeaders: Middleware = async (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  ctx.set("X-Content-Type-Options", "nosniff");
  await next();
};
