import { buildDeepLink } from "@tapthru/proto/rules/deep-link";
import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { redirectTarget } from "@tapthru/proto/rules/redirect-target";
import { shortUrl as shortUrlOf } from "@tapthru/proto/rules/short-url";
import { type HttpMetrics, REQUEST_START_HEADER } from "@tapthru/runtime/http/http-metrics";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { chooseDestination } from "./choose-destination.ts";
import type { RedirectMetrics } from "./redirect-metrics.ts";
import type { Replies } from "./replies.ts";
import type { Clock } from "./resolve/clock.ts";
import type { Resolution } from "./resolve/resolution.ts";
import type { Resolver } from "./resolve/resolver.ts";
import { type ClientReader, visitorFrom, visitorKind } from "./visitor.ts";

export interface RouteNeeds {
  resolving: { resolver: Resolver; clock: Pick<Clock, "now"> };
  metrics: RedirectMetrics;
  httpMetrics: HttpMetrics;
  replies: Replies;
  readClient: ClientReader;
  publicBaseUrl: string;
}

const LINK_ROUTE = `${SHORT_LINK_PATH_PREFIX}:code`;
const CARD_ROUTE = "/redirect";

/** GET /l/{code}, and the card of GET /redirect, which the gateway asks for crawlers alone; Fastify answers HEAD alike. */
export function registerRoutes(app: FastifyInstance, needs: RouteNeeds): void {
  const { metrics, httpMetrics, replies, readClient, publicBaseUrl } = needs;
  const { resolver, clock } = needs.resolving;

  const observeLink = httpMetrics.ofRoute(LINK_ROUTE, ["GET", "HEAD"]);
  const observeCard = httpMetrics.ofRoute(CARD_ROUTE, ["GET"]);

  function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    shortCode: string,
    { source, lookup }: Resolution,
  ): FastifyReply {
    const visitor = visitorFrom(request.headers, request.url, readClient);
    const shortUrl = shortUrlOf(publicBaseUrl, shortCode);
    const chosen = chooseDestination(lookup, { visitor, shortUrl, now: clock.now() });
    if (!visitor.isEscaped) {
      const device = visitorKind(visitor, request.method);
      metrics.countRedirect({ reply: chosen.kind, device, source });
    }
    replies.send(reply, { shortCode, shortUrl }, chosen);
    observeLink(request.method, reply.statusCode, request.since);
    return reply;
  }

  app.get<{ Params: { code: string } }>(LINK_ROUTE, (request, reply) => {
    request.since = performance.now();
    httpMetrics.observeWait(request.headers[REQUEST_START_HEADER]);
    // The alphabet has no capitals: whoever types or dictates some means the same code.
    const shortCode = request.params.code.toLowerCase();
    const resolution = resolver.resolve(shortCode, request);
    return resolution instanceof Promise
      ? resolution.then((resolved) => answer(request, reply, shortCode, resolved))
      : answer(request, reply, shortCode, resolution);
  });

  app.get(CARD_ROUTE, (request, reply) => {
    request.since = performance.now();
    const target = redirectTarget(new URL(request.url, publicBaseUrl).searchParams);
    if (target === null) {
      replies.sendError(reply, 404);
    } else {
      const { productId, webUrl } = target;
      const card = { webUrl, title: null, description: null, imageUrl: null, siteName: null };
      metrics.countRedirect({ reply: "card", device: "preview-crawler", source: "none" });
      replies.sendCard(reply, card, buildDeepLink(publicBaseUrl, productId, webUrl));
    }
    observeCard(request.method, reply.statusCode, request.since);
    return reply;
  });
}
