import type { Router } from "@koa/router";
import { methodNotAllowed, notFound } from "@tapthru/proto/general-errors";
import type { Context, Middleware } from "koa";
import { ApiError } from "./errors.ts";

/**
 * Responds to requests that match no route, and to OPTIONS. A fixed path comes before one with parameters, as in the
 * OpenAPI document: DELETE of `/api/links/stores` is not allowed, although it matches `/api/links/:id`.
 */
export function rejectUnmatchedRoute(router: Router): Middleware {
  return async (ctx, next) => {
    const methods = allowedMethods(router, ctx);
    if (methods.length === 0) throw new ApiError(notFound);
    if (methods.includes(ctx.method)) return next();
    ctx.set("Allow", methods.join(", "));
    if (ctx.method !== "OPTIONS") throw new ApiError(methodNotAllowed);
    ctx.status = 200;
    ctx.body = "";
  };
}

function allowedMethods(router: Router, ctx: Context): string[] {
  const layers = hasValidPath(ctx) ? router.match(ctx.path, ctx.method).path : [];
  const fewest = Math.min(...layers.map(({ paramNames }) => paramNames.length));
  const methods = layers.filter(({ paramNames }) => paramNames.length === fewest).flatMap((layer) => layer.methods);
  return [...new Set(methods)].sort();
}

/** Reading `ctx.path` throws for request targets such as `http://[`. */
export function hasValidPath(ctx: Context): boolean {
  try {
    return ctx.path !== "";
  } catch {
    return false;
  }
}
