import type { RedisBudget } from "@tapthru/runtime/redis-budget";
import { forRequest, REQUEST_ID_HEADER, requestIdFrom } from "@tapthru/runtime/request-id";
import type { Middleware } from "koa";
import type { Logger } from "pino";
import { Histogram, type Registry } from "prom-client";

declare module "koa" {
  interface DefaultState {
    requestId: string;
    /** Its records carry the request's id. */
    log: Logger;
    /** What this request may wait for Redis, all in all. */
    redisBudget: RedisBudget;
  }
}

export interface RequestContextNeeds {
  logger: Logger;
  registry: Registry;
  newRedisBudget(): RedisBudget;
}

/** Gives each request its id, logger and budget, and counts and logs it when it is answered. */
export function requestContext({
  logger,
  registry,
  newRedisBudget,
}: RequestContextNeeds): Middleware {
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time to answer a request",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });

  return async (ctx, next) => {
    const requestId = requestIdFrom(ctx.headers[REQUEST_ID_HEADER]);
    ctx.state.requestId = requestId;
    ctx.state.log = forRequest(logger, requestId);
    ctx.state.redisBudget = newRedisBudget();
    ctx.set(REQUEST_ID_HEADER, requestId);
    const stop = durations.startTimer();
    await next();
    const route = typeof ctx._matchedRoute === "string" ? ctx._matchedRoute : "none";
    const seconds = stop({ method: ctx.method, route, status: ctx.status });
    ctx.state.log.info({ method: ctx.method, route, status: ctx.status, seconds }, "answered");
  };
}
