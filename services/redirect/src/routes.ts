import { NAME_PATTERN, shortCodeOf } from "@tapthru/proto/redirect/short-code";
import { buildDeepLink, redirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { DOMAIN_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import type { HttpMetrics } from "@tapthru/runtime/http/http-metrics";
import type { FastifyInstance } from "fastify";
import type { RedirectMetrics } from "./redirect-metrics.ts";
import type { Replies } from "./replies.ts";
import { LINK_ROUTE, type VisitLink } from "./visit-link.ts";

/** What is after /d/. */
const DOMAIN_ROUTE = `${DOMAIN_PATH_PREFIX}*`;
/** Browsers and scanners request files, such as favicon.ico, and paths that start with a dot. */
const FILE_PATTERN = /^\.|\.\w+$/;

export interface RouteDependencies {
  visitLink: VisitLink;
  metrics: RedirectMetrics;
  httpMetrics: HttpMetrics;
  replies: Replies;
  publicBaseUrl: string;
}

const CARD_ROUTE = "/redirect";

/**
 * GET /l/{code} and /d/{host}/{name} for addresses that are not visited directly, and GET /redirect, which the gateway routes
 * here for crawlers only. Fastify adds HEAD.
 */
export function registerRoutes(app: FastifyInstance, deps: RouteDependencies): void {
  const { visitLink, metrics, httpMetrics, replies, publicBaseUrl } = deps;
  const observeCard = httpMetrics.ofRoute(CARD_ROUTE, ["GET"]);

  app.get<{ Params: { code: string } }>(LINK_ROUTE, (request, reply) => {
    visitLink(request, reply.hijack().raw, typedName(request.params.code) ?? NO_CODE);
  });

  app.get<{ Params: { "*": string } }>(DOMAIN_ROUTE, (request, reply) => {
    const code = codeOnDomain(request.params["*"]);
    visitLink(request, reply.hijack().raw, code ?? NO_CODE);
  });

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

const NO_CODE = "";

/** Names are lower case; a typed or dictated one may be in upper case. */
function typedName(text: string): string | null {
  const name = text.toLowerCase();
  return NAME_PATTERN.test(name) ? name : null;
}

/** @param path host and path; a path that is no name opens the root link of the host @returns null for a file */
function codeOnDomain(path: string): string | null {
  const [host = "", ...parts] = path.split("/");
  const rest = parts.filter((part) => part !== "").join("/");
  return FILE_PATTERN.test(rest) ? null : shortCodeOf(typedName(rest) ?? "", host.toLowerCase());
}
