import { type HttpMetrics, UNMATCHED_ROUTE } from "@tapthru/runtime/http/http-metrics";
import type { Middleware } from "koa";
import { ApiError } from "../errors.ts";
import { sendError } from "./error-replies.ts";
import type { RequestLimit } from "./request-limit.ts";

/**
 * Does not count a request as in progress while it waits for its client, for Amazon or for the identity provider.
 * @param options.mayReject false for a request that cannot be repeated after the wait; it then continues
 * @throws ApiError (unavailable) if too many other requests are in progress after the wait
 */
export type WhileWaiting = <T>(
  wait: () => Promise<T>,
  options?: { mayReject: boolean },
) => Promise<T>;

declare module "koa" {
  interface DefaultState {
    whileWaiting: WhileWaiting;
  }
}

/** Factor of the limit for requests that have waited. Rejecting them wastes the upload or the wait. */
export const LIMIT_FACTOR_AFTER_WAIT = 1.5;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const OVERLOADED = new ApiError("unavailable", { reason: "Too many requests are in progress" });

/**
 * Rejects requests with 503 while too many are in progress. A request does not count while its body arrives, while
 * it waits for Amazon or the identity provider, or while its response is sent. Rejections are counted but not logged,
 * to keep them cheap.
 */
export function shedLoad(
  httpMetrics: HttpMetrics,
  limit: Pick<RequestLimit, "current">,
): Middleware {
  const observe = httpMetrics.ofRoute(UNMATCHED_ROUTE, METHODS);
  let inProgress = 0;

  return async (ctx, next) => {
    if (inProgress >= limit.current) {
      sendError(ctx, OVERLOADED);
      observe(ctx.method, ctx.status, performance.now());
      return;
    }
    let isCounted = true;
    inProgress += 1;
    const release = () => {
      if (isCounted) inProgress -= 1;
      isCounted = false;
    };
    ctx.state.whileWaiting = async (wait, { mayReject } = { mayReject: true }) => {
      release();
      const result = await wait();
      if (mayReject && inProgress >= LIMIT_FACTOR_AFTER_WAIT * limit.current) throw OVERLOADED;
      inProgress += 1;
      isCounted = true;
      return result;
    };
    try {
      await next();
    } finally {
      release();
    }
  };
}
