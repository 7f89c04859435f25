import type { Context, Middleware } from "koa";
import { ApiError } from "../errors.ts";

declare module "koa" {
  interface DefaultState {
    /** Gives the request's place up while it waits for its client, and takes a place again. */
    withoutPlace<T>(wait: () => Promise<T>): Promise<T>;
  }
}

/** Requests that one process works on at once: a small part of a second's work. */
export const PLACES = 128;

/**
 * Refuses with 503 at once what the process cannot take. A request has a place only while the process works on it:
 * not while its body arrives, and not while its reply is read.
 */
export function shedLoad(places: number): Middleware {
  let taken = 0;

  function take(): void {
    if (taken >= places) throw new ApiError("unavailable");
    taken += 1;
  }

  return async (ctx: Context, next) => {
    let hasPlace = false;
    const enter = () => {
      take();
      hasPlace = true;
    };
    const leave = () => {
      if (hasPlace) taken -= 1;
      hasPlace = false;
    };
    ctx.state.withoutPlace = async (wait) => {
      leave();
      const result = await wait();
      enter();
      return result;
    };
    enter();
    try {
      await next();
    } finally {
      leave();
    }
  };
}
