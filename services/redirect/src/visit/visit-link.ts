import type { ServerResponse } from "node:http";
import { type HttpMetrics, REQUEST_START_HEADER } from "@tapthru/core/platform/http/http-metrics";
import { UNKNOWN_COUNTRY } from "@tapthru/proto/clicks/keys";
import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { chooseDestination } from "../choose-destination.ts";
import type { ClickCounter } from "../clicks/click-counter.ts";
import { isRouted } from "../link.ts";
import type { Clock } from "../resolve/clock.ts";
import type { Resolution } from "../resolve/memory.ts";
import type { Resolver } from "../resolve/resolver.ts";
import type { VisitRequest } from "../visitor/visitor.ts";
import { type ClientParser, visitorFrom, visitorKind } from "../visitor/visitor.ts";
import type { CountryOf } from "../visitor/visitor-country.ts";
import type { RedirectMetrics } from "./redirect-metrics.ts";
import type { Replies } from "./replies.ts";

export interface VisitDependencies {
  resolverStack: { resolver: Resolver; clock: Pick<Clock, "now"> };
  metrics: RedirectMetrics;
  httpMetrics: HttpMetrics;
  replies: Replies;
  parseClient: ClientParser;
  countryOf: CountryOf;
  clicks: Pick<ClickCounter, "countVisit">;
  logFailure(request: VisitRequest, error: unknown, where: FailedRequest): void;
}

export interface FailedRequest {
  route: string;
  /** Omitted if it is not a short code. */
  shortCode?: string;
}

export type VisitLink = (request: VisitRequest, response: ServerResponse, shortCode: string) => void;

interface Visit {
  request: VisitRequest;
  response: ServerResponse;
  shortCode: string;
  /** By performance.now(). */
  startedAt: number;
}

export const LINK_ROUTE = `${SHORT_LINK_PATH_PREFIX}:code`;

export function createVisitLink(deps: VisitDependencies): VisitLink {
  const { metrics, httpMetrics, replies, parseClient, countryOf, clicks, logFailure } = deps;
  const { resolver, clock } = deps.resolverStack;
  const observe = httpMetrics.ofRoute(LINK_ROUTE, ["GET", "HEAD"]);

  function respond(visit: Visit, { source, lookup }: Resolution): void {
    const { request, response, shortCode } = visit;
    const visitor = visitorFrom(request, parseClient);
    const country = isRouted(lookup) ? countryOf(request) : UNKNOWN_COUNTRY;
    const decision = chooseDestination(lookup, { visitor, now: clock.now(), country });
    if (!visitor.isEscaped) {
      const device = visitorKind(visitor, request.method);
      metrics.countRedirect({ reply: decision.kind, device, source });
    }
    clicks.countVisit(request, { shortCode, visitor, decision });
    replies.send(request, response, { shortCode, decision });
    observe(request.method, response.statusCode, visit.startedAt);
  }

  function fail({ request, response, shortCode, startedAt }: Visit, error: unknown): void {
    logFailure(request, error, { route: LINK_ROUTE, shortCode });
    if (response.headersSent) response.destroy();
    else replies.sendError(request, response, 500);
    observe(request.method, 500, startedAt);
  }

  return (request, response, shortCode) => {
    const visit = { request, response, shortCode, startedAt: performance.now() };
    httpMetrics.observeWait(request.headers[REQUEST_START_HEADER]);
    try {
      const resolution = resolver.resolve(shortCode, request);
      if (resolution instanceof Promise) {
        resolution.then((found) => respond(visit, found)).catch((error) => fail(visit, error));
      } else {
        respond(visit, resolution);
      }
    } catch (error) {
      fail(visit, error);
    }
  };
}
