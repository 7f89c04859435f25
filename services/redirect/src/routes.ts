import type { HttpMetrics } from "@tapthru/core/platform/http/http-metrics";
import { NAME_PATTERN, SHORT_CODE_PATTERN, shortCodeOf } from "@tapthru/proto/redirect/short-code";
import { buildDeepLink, redirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { DOMAIN_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import type { FastifyInstance } from "fastify";
import type { RedirectMetrics } from "./redirect-metrics.ts";
import type { Replies } from "./replies.ts";
import { LINK_ROUTE, type VisitLink } from "./visit-link.ts";

/** The link of the first page of an own domain has no name. */
const DOMAIN_ROUTES = [`${DOMAIN_PATH_PREFIX}:host/:name`, `${DOMAIN_PATH_PREFIX}:host`];

/** Of an address that is not a link's. */
const NO_CODE = "";

export interface RouteDependencies {
  visitLink: VisitLink;
  metrics: RedirectMetrics;
  httpMetrics: HttpMetrics;
  replies: Replies;
  publicBaseUrl: string;
}

const CARD_ROUTE = "/redirect";

/** GET /l/{code} and /d/{host}/{name}, and GET /redirect, which the gateway routes here for crawlers only. Fastify adds HEAD. */
export function registerRoutes(app: FastifyInstance, deps: RouteDependencies): void {
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
