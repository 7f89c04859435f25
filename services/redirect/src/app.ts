import { HTTP_SERVER_OPTIONS } from "@tapthru/runtime/http-server";
import type { Logger } from "@tapthru/runtime/logger";
import { REQUEST_ID_HEADER, requestIdFrom } from "@tapthru/runtime/request-id";
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
import { refuseUnreadable } from "./unreadable-request.ts";

export interface AppNeeds extends Omit<RouteNeeds, "replies" | "publicBaseUrl"> {
  site: Site;
  outcomes: Outcomes;
  trustedProxies: string[];
  logger: Logger;
}

/** The HTTP side of the service, without a port. Only failures are logged. */
export function buildApp(needs: AppNeeds): FastifyInstance {
  const { site, outcomes, readClient } = needs;
  const replies = createReplies({ site, proofs: outcomes.proofs });

  function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    const status = error.statusCode ?? 500;
    if (status >= 500) {
      const requestId = requestIdFrom(request.headers[REQUEST_ID_HEADER]);
      needs.logger.error({ err: error, requestId }, "a request failed");
    }
    return replies.sendError(reply, status);
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
    clientErrorHandler: refuseUnreadable,
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((_request, reply) => replies.sendError(reply, 404));
  registerRoutes(app, { ...needs, publicBaseUrl: site.publicBaseUrl, replies });
  registerOutcomeRoute(app, { ...outcomes, readClient });
  return app;
}
