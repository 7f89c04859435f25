import { type HttpMetrics, UNMATCHED_ROUTE } from "@tapthru/core/platform/http/http-metrics";
import { HTTP_SERVER_OPTIONS } from "@tapthru/core/platform/http/http-server";
import { rejectMalformedRequest } from "@tapthru/core/platform/http/malformed-request";
import { REQUEST_ID_HEADER, requestIdFrom } from "@tapthru/core/platform/http/request-id";
import type { Logger } from "@tapthru/core/platform/logger";
import { buildDeepLink, redirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { DOMAIN_MAX_LENGTH, DOMAIN_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { NAME_PATTERN, SHORT_CODE_PATTERN, shortCodeOf } from "@tapthru/proto/rules/short-code";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { ClickCounter } from "./clicks/click-counter.ts";
import type { Outcomes } from "./outcome/outcomes.ts";
import { registerOutcomeRoute } from "./outcome/routes.ts";
import { repairedAddress } from "./repair-address.ts";
import type { RedirectMetrics } from "./visit/redirect-metrics.ts";
import { createReplies, type Replies, type Site } from "./visit/replies.ts";
import {
  createVisitLink,
  type FailedRequest,
  LINK_ROUTE,
  type VisitDependencies,
  type VisitLink,
} from "./visit/visit-link.ts";
import type { VisitRequest } from "./visitor/visitor.ts";

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

/** The link of the first page of an own domain has no name. */
const DOMAIN_ROUTES = [`${DOMAIN_PATH_PREFIX}:host/:name`, `${DOMAIN_PATH_PREFIX}:host`];

/** The code of an address that is not a link's. */
const NO_CODE = "";

interface RouteDependencies {
  visitLink: VisitLink;
  metrics: RedirectMetrics;
  httpMetrics: HttpMetrics;
  replies: Replies;
  publicBaseUrl: string;
}

const CARD_ROUTE = "/redirect";

/** GET /l/{code} and /d/{host}/{name}, and GET /redirect, which the gateway routes here for crawlers only. Fastify adds HEAD. */
function registerRoutes(app: FastifyInstance, deps: RouteDependencies): void {
  const { visitLink, metrics, httpMetrics, replies, publicBaseUrl } = deps;
  const observeCard = httpMetrics.ofRoute(CARD_ROUTE, ["GET"]);

  app.get<{ Params: { code: string } }>(LINK_ROUTE, (request, reply) => {
    const { code } = request.params;
    visitLink(request, reply.hijack().raw, NAME_PATTERN.test(code) ? code : NO_CODE);
  });

  for (const route of DOMAIN_ROUTES) {
    app.get<{ Params: { host: string; name?: string } }>(route, (request, reply) => {
      const { host, name = "" } = request.params;
      const code = shortCodeOf(name, host);
      visitLink(request, reply.hijack().raw, SHORT_CODE_PATTERN.test(code) ? code : NO_CODE);
    });
  }

  app.get(CARD_ROUTE, (request, reply) => {
    request.startedAt = performance.now();
    const target = redirectTarget(new URL(request.url, publicBaseUrl).searchParams);
    const response = reply.hijack().raw;
    if (target === null) {
      replies.sendError(request, response, 404);
    } else {
      const { productId, webUrl } = target;
      const card = { webUrl, title: null, description: null, imageUrl: null, siteName: null };
      metrics.countRedirect({ reply: "card", device: "preview-crawler", source: "none" });
      replies.sendCard(response, card, buildDeepLink(publicBaseUrl, productId, webUrl));
    }
    observeCard(request.method, response.statusCode, request.startedAt);
  });
}
