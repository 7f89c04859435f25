import type { Middleware } from "koa";

/** Answers of the api are for one caller and one moment. */
export const replyHeaders: Middleware = async (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  ctx.set("X-Content-Type-Options", "nosniff");
  await next();
};
