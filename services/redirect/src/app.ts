import { UNMATCHED_ROUTE } from "@tapthru/core/platform/http/http-metrics";
import { HTTP_SERVER_OPTIONS } from "@tapthru/core/platform/http/http-server";
import { rejectMalformedRequest } from "@tapthru/core/platform/http/malformed-request";
import { REQUEST_ID_HEADER, requestIdFrom } from "@tapthru/core/platform/http/request-id";
import type { Logger } from "@tapthru/core/platform/logger";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/redirect/short-code";
import { DOMAIN_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { ClickCounter } from "./clicks/click-counter.ts";
import type { Outcomes } from "./outcome/outcomes.ts";
import { registerOutcomeRoute } from "./outcome/routes.ts";
import { repairedAddress } from "./repair-address.ts";
import { createReplies, type Site } from "./replies.ts";
import { registerRoutes } from "./routes.ts";
import { createVisitLink, type FailedRequest, type VisitDependencies } from "./visit-link.ts";
import type { VisitRequest } from "./visit-request.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** When the handler started, by performance.now(); 0 before. */
    startedAt: number;
  }
}

export interface AppDependencies extends Omit<VisitDependencies, "replies" | "clicks" | "logFailure"> {
  clicks: ClickCounter;
  site: Site;
  outcomes: Outcomes;
  trustedProxies: string[];
  logger: Logger;
}

/** Builds the HTTP application without listening. Logs only failed requests. */
export function buildApp(deps: AppDependencies): FastifyInstance {
  const { site, outcomes, parseClient, httpMetrics, trustedProxies } = deps;
  const replies = createReplies({ site, proofs: outcomes.proofs });

  function logFailure({ headers }: Pick<VisitRequest, "headers">, err: unknown, where: FailedRequest) {
    const requestId = requestIdFrom(headers[REQUEST_ID_HEADER]);
    deps.logger.error({ event: "request_failed", err, requestId, ...where }, "request failed");
  }

  function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    const status = error.statusCode ?? 500;
    if (status >= 500) {
      const code = (request.params as { code?: string } | null)?.code ?? "";
      const route = request.routeOptions.url ?? UNMATCHED_ROUTE;
      const isCode = SHORT_CODE_PATTERN.test(code);
      logFailure(request, error, { route, ...(isCode && { shortCode: code }) });
    }
    sendError(reply, status);
  }

  function sendError(reply: FastifyReply, status: number) {
    const { method, startedAt, routeOptions } = reply.request;
    replies.sendError(reply.request, reply.hijack().raw, status);
    const observe = httpMetrics.ofRoute(routeOptions.url ?? UNMATCHED_ROUTE);
    observe(method, status, startedAt || performance.now());
  }

  const visitLink = createVisitLink({ ...deps, replies, logFailure });
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies,
    rewriteUrl: ({ url = "" }) => repairedAddress(url),
    http: HTTP_SERVER_OPTIONS,
    keepAliveTimeout: HTTP_SERVER_OPTIONS.keepAliveTimeout,
    requestTimeout: HTTP_SERVER_OPTIONS.requestTimeout,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: DOMAIN_MAX_LENGTH },
    frameworkErrors: handleError,
    clientErrorHandler: rejectMalformedRequest,
  });
  app.setErrorHandler(handleError);
  app.decorateRequest("startedAt", 0);
  app.setNotFoundHandler((_request, reply) => sendError(reply, 404));
  registerRoutes(app, { ...deps, visitLink, publicBaseUrl: site.publicBaseUrl, replies });
  registerOutcomeRoute(app, { ...outcomes, parseClient, httpMetrics, clicks: deps.clicks });
  return app;
}
