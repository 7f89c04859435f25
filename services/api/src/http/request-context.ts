import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { type HttpMetrics, REQUEST_START_HEADER, UNMATCHED_ROUTE } from "@tapthru/core/platform/http/http-metrics";
import { REQUEST_ID_HEADER, requestIdFrom } from "@tapthru/core/platform/http/request-id";
import type { Logger } from "@tapthru/core/platform/logger";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import type { Middleware } from "koa";
import { Counter, type Registry } from "prom-client";

declare module "koa" {
  interface DefaultState {
    requestId: string;
    log: Logger;
    /** Total time that this request may wait for Redis. */
    redisBudget: RedisBudget;
  }
}

/** Status that is recorded if the client disconnects before the response, as in nginx. */
const CLIENT_CLOSED_REQUEST = 499;

export interface RequestContextDependencies {
  logger: Logger;
  httpMetrics: HttpMetrics;
  registry: Registry;
  newRedisBudget(): RedisBudget;
  addressHashOf(request: IncomingMessage): string | null;
}

export function requestContext({
  logger,
  httpMetrics,
  registry,
  newRedisBudget,
  addressHashOf,
}: RequestContextDependencies): Middleware {
  const errors = new Counter({
    name: "tapthru_api_errors_total",
    help: "Failed requests by route and the code of their error; openid-…: logins with OpenID Connect",
    labelNames: ["route", "code"],
    registers: [registry],
  });
  return async (ctx, next) => {
    const requestId = requestIdFrom(ctx.headers[REQUEST_ID_HEADER]);
    ctx.state.requestId = requestId;
    ctx.state.log = logger.child({ requestId });
    ctx.state.redisBudget = newRedisBudget();
    ctx.state.addressHashOf = addressHashOf;
    ctx.set(REQUEST_ID_HEADER, requestId);
    const startedAt = performance.now();
    httpMetrics.observeWait(ctx.headers[REQUEST_START_HEADER]);
    const recordRequest = AsyncResource.bind(() => {
      const route = typeof ctx._matchedRoute === "string" ? ctx._matchedRoute : UNMATCHED_ROUTE;
      const status = ctx.headerSent ? ctx.status : CLIENT_CLOSED_REQUEST;
      const seconds = httpMetrics.ofRoute(route)(ctx.method, status, startedAt);
      const { unavailableReason: reason, errorCode: code } = ctx.state;
      if (code !== undefined) errors.inc({ route, code });
      ctx.state.log.info(
        { event: "request_completed", method: ctx.method, route, status, seconds, reason },
        "request completed",
      );
    });
    // `close` fires when the response is sent or the client disconnects. Prepended to run before the span ends.
    ctx.res.prependOnceListener("close", recordRequest);
    await next();
  };
}
