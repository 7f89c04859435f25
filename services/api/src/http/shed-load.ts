import { type HttpMetrics, UNMATCHED_ROUTE } from "@tapthru/runtime/http/http-metrics";
import type { Middleware } from "koa";
import { ApiError } from "../errors.ts";
import { refuse } from "./error-replies.ts";

declare module "koa" {
  interface DefaultState {
    /** Gives the request's place up while it waits for its client, and takes one again. */
    withoutPlace<T>(wait: () => Promise<T>): Promise<T>;
  }
}

/** Requests that one process works on at once: a small part of a second's work. */
export const PLACES = 128;
/** For requests whose body has just arrived: they go before new ones, because their body is already read. */
const PLACES_WITH_BODIES = 4 * PLACES;

const METHODS = ["GET", "POST", "PATCH", "DELETE"];

const OVERLOADED = new ApiError("unavailable");

/**
 * Refuses with 503 at once what the process cannot take. A request has a place only while the process works on it:
 * not while its body arrives, and not while its reply is read. A refusal is counted, not logged: it has to cost little.
 */
export function shedLoad(httpMetrics: HttpMetrics): Middleware {
  const observe = httpMetrics.ofRoute(UNMATCHED_ROUTE, METHODS);
  let taken = 0;

  return async (ctx, next) => {
    if (taken >= PLACES) {
      refuse(ctx, OVERLOADED);
      observe(ctx.method, ctx.status, performance.now());
      return;
    }
    let hasPlace = true;
    taken += 1;
    const leave = () => {
      if (hasPlace) taken -= 1;
      hasPlace = false;
    };
    ctx.state.withoutPlace = async (wait) => {
      leave();
      const result = await wait();
      if (taken >= PLACES_WITH_BODIES) throw OVERLOADED;
      taken += 1;
      hasPlace = true;
      return result;
    };
    try {
      await next();
    } finally {
      leave();
    }
  };
}
