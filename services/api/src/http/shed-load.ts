import { type HttpMetrics, UNMATCHED_ROUTE } from "@tapthru/runtime/http/http-metrics";
import type { Middleware } from "koa";
import { ApiError } from "../errors.ts";
import { sendError } from "./error-replies.ts";

declare module "koa" {
  interface DefaultState {
    /** Does not count the request as in progress while it waits for its client. */
    whileWaitingForClient<T>(wait: () => Promise<T>): Promise<T>;
  }
}

/** Concurrent requests per process, a fraction of what it serves in a second. */
export const MAX_REQUESTS_IN_PROGRESS = 128;
/** Limit for requests whose body has just arrived. It is higher, because rejecting them wastes the upload. */
const MAX_REQUESTS_WITH_BODY = 1.5 * MAX_REQUESTS_IN_PROGRESS;

const METHODS = ["GET", "POST", "PATCH", "DELETE"];

const OVERLOADED = new ApiError("unavailable");

/**
 * Rejects requests with 503 while too many are in progress. A request does not count while its body arrives or its
 * response is sent. Rejections are counted but not logged, to keep them cheap.
 */
export function shedLoad(httpMetrics: HttpMetrics): Middleware {
  const observe = httpMetrics.ofRoute(UNMATCHED_ROUTE, METHODS);
  let inProgress = 0;

  return async (ctx, next) => {
    if (inProgress >= MAX_REQUESTS_IN_PROGRESS) {
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
    ctx.state.whileWaitingForClient = async (wait) => {
      release();
      const result = await wait();
      if (inProgress >= MAX_REQUESTS_WITH_BODY) throw OVERLOADED;
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
