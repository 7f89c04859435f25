import type { HttpMetrics } from "@tapthru/core/platform/http/http-metrics";
import { buildDeepLink, redirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { DOMAIN_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import type { FastifyInstance } from "fastify";
import type { RedirectMetrics } from "./redirect-metrics.ts";
import type { Replies } from "./replies.ts";
import { LINK_ROUTE, type VisitLink } from "./visit-link.ts";
import { requestedCode } from "./visit-server.ts";

/** What is after /d/. */
const DOMAIN_ROUTE = `${DOMAIN_PATH_PREFIX}*`;

const NO_CODE = "";

export interface RouteDependencies {
  visitLink: VisitLink;
  metrics: RedirectMetrics;
  httpMetrics: HttpMetrics;
  replies: Replies;
  publicBaseUrl: string;
}

const CARD_ROUTE = "/redirect";

/**
 * GET /l/{code} and /d/{host}/{name} for repaired and unknown addresses, and GET /redirect, which the gateway routes
 * here for crawlers only. Fastify adds HEAD.
 */
export function registerRoutes(app: FastifyInstance, deps: RouteDependencies): void {
  const { visitLink, metrics, httpMetrics, replies, publicBaseUrl } = deps;
  const observeCard = httpMetrics.ofRoute(CARD_ROUTE, ["GET"]);

  for (const route of [LINK_ROUTE, DOMAIN_ROUTE]) {
    app.get(route, (request, reply) => {
      visitLink(request, reply.hijack().raw, requestedCode(request.url) ?? NO_CODE);
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
