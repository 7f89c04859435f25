import { UNMATCHED_ROUTE } from "@tapthru/runtime/http/http-metrics";
import { HTTP_SERVER_OPTIONS } from "@tapthru/runtime/http/http-server";
import { REQUEST_ID_HEADER, requestIdFrom } from "@tapthru/runtime/http/request-id";
import type { Logger } from "@tapthru/runtime/logger";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { Outcomes } from "./outcome/outcomes.ts";
import { registerOutcomeRoute } from "./outcome/routes.ts";
import { createReplies, type Site } from "./replies.ts";
import { type RouteNeeds, registerRoutes } from "./routes.ts";
import { rejectUnreadableRequest } from "./unreadable-request.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** When its handler began, by performance.now(); 0 before. */
    since: number;
  }
}

export interface AppNeeds extends Omit<RouteNeeds, "replies" | "publicBaseUrl"> {
  site: Site;
  outcomes: Outcomes;
  trustedProxies: string[];
  logger: Logger;
}

/** The HTTP side of the service, without a port. Only failures are logged. */
export function buildApp(needs: AppNeeds): FastifyInstance {
  const { site, outcomes, readClient, httpMetrics } = needs;
  const replies = createReplies({ site, proofs: outcomes.proofs });

  function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    const status = error.statusCode ?? 500;
    if (status >= 500) {
      const requestId = requestIdFrom(request.headers[REQUEST_ID_HEADER]);
      needs.logger.error({ event: "request_failed", err: error, requestId }, "request failed");
    }
    return sendError(reply, status);
  }

  function sendError(reply: FastifyReply, status: number) {
    const { method, since, routeOptions } = reply.request;
    replies.sendError(reply, status);
    const observe = httpMetrics.ofRoute(routeOptions.url ?? UNMATCHED_ROUTE);
    observe(method, status, since || performance.now());
    return reply;
  }

  const app = Fastify({
    logger: false,
    trustProxy: needs.trustedProxies,
    requestTimeout: HTTP_SERVER_OPTIONS.requestTimeout,
    keepAliveTimeout: HTTP_SERVER_OPTIONS.keepAliveTimeout,
    connectionTimeout: HTTP_SERVER_OPTIONS.requestTimeout,
    http: HTTP_SERVER_OPTIONS,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: answerError,
    clientErrorHandler: rejectUnreadableRequest,
  });
  app.setErrorHandler(answerError);
  app.decorateRequest("since", 0);
  app.setNotFoundHandler((_request, reply) => sendError(reply, 404));
  registerRoutes(app, { ...needs, publicBaseUrl: site.publicBaseUrl, replies });
  registerOutcomeRoute(app, { ...outcomes, readClient, httpMetrics });
  return app;
}
