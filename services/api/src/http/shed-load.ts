import { type HttpMetrics, UNMATCHED_ROUTE } from "@tapthru/runtime/http/http-metrics";
import type { Middleware } from "koa";
import { ApiError } from "../errors.ts";
import { sendError } from "./error-replies.ts";

declare module "koa" {
  interface DefaultState {
    /** Gives the request's place up while it waits for its client, and takes one again. */
    whileWaitingForClient<T>(wait: () => Promise<T>): Promise<T>;
  }
}

/** Requests that one process works on at once: a small part of a second's work. */
export const MAX_REQUESTS_IN_PROGRESS = 128;
/** For requests whose body has just arrived: they go before new ones, because their body is already read. */
const MAX_REQUESTS_WITH_BODY = 4 * MAX_REQUESTS_IN_PROGRESS;

const METHODS = ["GET", "POST", "PATCH", "DELETE"];

const OVERLOADED = new ApiError("unavailable");

/**
 * Refuses with 503 at once what the process cannot take. A request has a place only while the process works on it:
 * not while its body arrives, and not while its reply is read. A refusal is counted, not logged: it has to cost little.
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
