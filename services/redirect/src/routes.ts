import { UNKNOWN_COUNTRY } from "@tapthru/proto/clicks/keys";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/deep-link";
import { redirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { type HttpMetrics, REQUEST_START_HEADER } from "@tapthru/runtime/http/http-metrics";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { chooseDestination } from "./choose-destination.ts";
import type { ClickCounter } from "./clicks/click-counter.ts";
import type { CountryOf } from "./country/visitor-country.ts";
import { isRouted } from "./link.ts";
import type { RedirectMetrics } from "./redirect-metrics.ts";
import type { Replies } from "./replies.ts";
import type { Clock } from "./resolve/clock.ts";
import type { Resolution } from "./resolve/resolution.ts";
import type { Resolver } from "./resolve/resolver.ts";
import { type ClientParser, visitorFrom, visitorKind } from "./visitor.ts";

export interface RouteDependencies {
  resolverStack: { resolver: Resolver; clock: Pick<Clock, "now"> };
  metrics: RedirectMetrics;
  httpMetrics: HttpMetrics;
  replies: Replies;
  parseClient: ClientParser;
  publicBaseUrl: string;
  countryOf: CountryOf;
  clicks: Pick<ClickCounter, "countVisit">;
}

const LINK_ROUTE = `${SHORT_LINK_PATH_PREFIX}:code`;
const CARD_ROUTE = "/redirect";

/** GET /l/{code}, and GET /redirect, which the gateway routes here for crawlers only. Fastify adds HEAD. */
export function registerRoutes(app: FastifyInstance, deps: RouteDependencies): void {
  const { metrics, httpMetrics, replies, parseClient, publicBaseUrl, countryOf, clicks } = deps;
  const { resolver, clock } = deps.resolverStack;

  const observeLink = httpMetrics.ofRoute(LINK_ROUTE, ["GET", "HEAD"]);
  const observeCard = httpMetrics.ofRoute(CARD_ROUTE, ["GET"]);

  function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    shortCode: string,
    { source, lookup }: Resolution,
  ): void {
    const visitor = visitorFrom(request, parseClient);
    const country = isRouted(lookup) ? countryOf(request) : UNKNOWN_COUNTRY;
    const decision = chooseDestination(lookup, { visitor, now: clock.now(), country });
    if (!visitor.isEscaped) {
      const device = visitorKind(visitor, request.method);
      metrics.countRedirect({ reply: decision.kind, device, source });
    }
    clicks.countVisit(request, { shortCode, visitor, decision });
    replies.send(reply, shortCode, decision);
    observeLink(request.method, reply.statusCode, request.startedAt);
  }

  app.get<{ Params: { code: string } }>(LINK_ROUTE, (request, reply) => {
    request.startedAt = performance.now();
    httpMetrics.observeWait(request.headers[REQUEST_START_HEADER]);
    // Codes are lower case; a typed or dictated code may be in upper case.
    const shortCode = request.params.code.toLowerCase();
    const resolution = resolver.resolve(shortCode, request);
    return resolution instanceof Promise
      ? resolution.then((resolved) => respond(request, reply, shortCode, resolved))
      : respond(request, reply, shortCode, resolution);
  });

  app.get(CARD_ROUTE, (request, reply) => {
    request.startedAt = performance.now();
    const target = redirectTarget(new URL(request.url, publicBaseUrl).searchParams);
    if (target === null) {
      replies.sendError(reply, 404);
    } else {
      const { productId, webUrl } = target;
      const card = { webUrl, title: null, description: null, imageUrl: null, siteName: null };
      metrics.countRedirect({ reply: "card", device: "preview-crawler", source: "none" });
      replies.sendCard(reply, card, buildDeepLink(publicBaseUrl, productId, webUrl));
    }
    observeCard(request.method, reply.statusCode, request.startedAt);
  });
}
