import { UNMATCHED_ROUTE } from "@tapthru/runtime/http/http-metrics";
import { HTTP_SERVER_OPTIONS } from "@tapthru/runtime/http/http-server";
import { rejectMalformedRequest } from "@tapthru/runtime/http/malformed-request";
import { REQUEST_ID_HEADER, requestIdFrom } from "@tapthru/runtime/http/request-id";
import type { Logger } from "@tapthru/runtime/logger";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { ClickCounter } from "./clicks/click-counter.ts";
import type { Outcomes } from "./outcome/outcomes.ts";
import { registerOutcomeRoute } from "./outcome/routes.ts";
import { createReplies, type Site } from "./replies.ts";
import { type RouteDependencies, registerRoutes } from "./routes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** When the handler started, by performance.now(); 0 before. */
    startedAt: number;
  }
}

export interface AppDependencies
  extends Omit<RouteDependencies, "replies" | "publicBaseUrl" | "clicks"> {
  clicks: ClickCounter;
  site: Site;
  outcomes: Outcomes;
  trustedProxies: string[];
  logger: Logger;
}

/** Builds the HTTP application without listening. Logs only failed requests. */
export function buildApp(deps: AppDependencies): FastifyInstance {
  const { site, outcomes, parseClient, httpMetrics } = deps;
  const replies = createReplies({ site, proofs: outcomes.proofs });

  function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    const status = error.statusCode ?? 500;
    if (status >= 500) {
      const requestId = requestIdFrom(request.headers[REQUEST_ID_HEADER]);
      deps.logger.error({ event: "request_failed", err: error, requestId }, "request failed");
    }
    sendError(reply, status);
  }

  function sendError(reply: FastifyReply, status: number) {
    const { method, startedAt, routeOptions } = reply.request;
    replies.sendError(reply, status);
    const observe = httpMetrics.ofRoute(routeOptions.url ?? UNMATCHED_ROUTE);
    observe(method, status, startedAt || performance.now());
  }

  const app = Fastify({
    logger: false,
    trustProxy: deps.trustedProxies,
    requestTimeout: HTTP_SERVER_OPTIONS.requestTimeout,
    keepAliveTimeout: HTTP_SERVER_OPTIONS.keepAliveTimeout,
    http: HTTP_SERVER_OPTIONS,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: handleError,
    clientErrorHandler: rejectMalformedRequest,
  });
  app.setErrorHandler(handleError);
  app.decorateRequest("startedAt", 0);
  app.setNotFoundHandler((_request, reply) => sendError(reply, 404));
  registerRoutes(app, { ...deps, publicBaseUrl: site.publicBaseUrl, replies });
  registerOutcomeRoute(app, { ...outcomes, parseClient, httpMetrics, clicks: deps.clicks });
  return app;
}
