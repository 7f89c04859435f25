import { Router } from "@koa/router";
import { createHttpMetrics, type HttpMetrics } from "@tapthru/runtime/http/http-metrics";
import type { Logger } from "@tapthru/runtime/logger";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import Koa from "koa";
import type { Registry } from "prom-client";
import type { IdentityProvider } from "./accounts/identity.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { type AmazonAdsRoutesNeeds, amazonAdsRoutes } from "./amazon-ads/routes.ts";
import { ClaimCookie } from "./http/claim-cookie.ts";
import { cookieScheme } from "./http/cookie-scheme.ts";
import { errorReplies } from "./http/error-replies.ts";
import * as doors from "./http/guards.ts";
import { ownOrigin } from "./http/own-origin.ts";
import type { RateLimits } from "./http/rate-limits.ts";
import { replyHeaders } from "./http/reply-headers.ts";
import { requestContext } from "./http/request-context.ts";
import { shedLoad } from "./http/shed-load.ts";
import { respondUnrouted } from "./http/unmatched-route.ts";
import { identifyCreator } from "./links/creator.ts";
import type { GenerateNeeds } from "./links/generate-link.ts";
import { generateRoute } from "./links/generate-route.ts";
import { ownLinkRoutes } from "./links/own-routes.ts";
import type { MetadataNeeds } from "./metadata/find-metadata.ts";
import { metadataRoutes } from "./metadata/routes.ts";
import { type OwnAccountRoutesNeeds, ownAccountRoutes } from "./own-account/routes.ts";
import { reportRoutes } from "./reports/routes.ts";
import { resolveRoutes } from "./resolve/routes.ts";
import { createTokenRecheck } from "./sessions/recheck.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import { createSessions, type Sessions } from "./sessions/sessions.ts";
import { visitorRoutes } from "./visitor/routes.ts";

type AmazonAdsNeeds = Pick<AmazonAdsRoutesNeeds, "amazonAds" | "pendingAmazonLogins">;

export interface AppNeeds extends GenerateNeeds, MetadataNeeds, AmazonAdsNeeds {
  db: GenerateNeeds["db"];
  identity: IdentityProvider;
  sessionStore: SessionStore;
  /** They sign the cookies, the newest first. */
  sessionKeys: readonly string[];
  rateLimits: RateLimits;
  addressOf(request: Koa.Context["req"]): string;
  /** One request's time for Redis. */
  newRedisBudget(): RedisBudget;
  accountDeletions: OwnAccountRoutesNeeds["accountDeletions"];
  logger: Logger;
  registry: Registry;
}

/** The api without a listener. */
export function createApp(needs: AppNeeds): Koa {
  const app = new Koa({ keys: [...needs.sessionKeys] });
  const recheck = createTokenRecheck({ ...needs, store: needs.sessionStore });
  const sessions = createSessions(app, {
    store: needs.sessionStore,
    publicBaseUrl: needs.publicBaseUrl,
    onUse: (session) => void recheck(session),
  });

  // Koa marks what came too late to be answered: the client had gone.
  app.on("error", (err: object) => {
    const level = "headerSent" in err ? "debug" : "error";
    needs.logger[level](
      { event: "response_not_delivered", err },
      "response did not reach the client",
    );
  });
  const httpMetrics = createHttpMetrics(needs.registry);
  app.use(replyHeaders);
  app.use(shedLoad(httpMetrics));
  app.use(requestContext({ ...needs, httpMetrics }));
  app.use(errorReplies);
  app.use(ownOrigin(needs.publicBaseUrl));
  app.use(cookieScheme(needs.publicBaseUrl));
  app.use(respondUnrouted);
  const router = createRouter(needs, sessions);
  showErrorsAsZero(router, httpMetrics);
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

function showErrorsAsZero(router: Router, httpMetrics: HttpMetrics): void {
  for (const { path, methods } of router.stack) {
    httpMetrics.ofRoute(
      String(path),
      methods.filter((method) => method !== "HEAD"),
    );
  }
}

function createRouter(needs: AppNeeds, sessions: Sessions): Router {
  const { rateLimits } = needs;
  const claimCookie = new ClaimCookie(needs.publicBaseUrl);
  const other = rateLimits("otherApi");
  const anybody = doors.publicAccess(other, claimCookie);
  const maybeSignedIn = doors.optionalSession(other, sessions);
  const signedIn = doors.requiredSession(other, sessions);
  const ofLinks = { ...needs, sessions, claimCookie, signedIn };

  // A path with a slash more is another: `DELETE /api/sessions/` names no session, and is not all of them.
  const router = new Router({ strict: true, sensitive: true });
  accountRoutes(router, {
    ...needs,
    sessions,
    usersLimit: rateLimits("users"),
    loginLimit: rateLimits("login"),
    anybody,
    maybeSignedIn,
  });
  generateRoute(router, {
    ...ofLinks,
    linkMaker: identifyCreator({ ...ofLinks, generateLimit: rateLimits("generate") }),
  });
  ownLinkRoutes(router, ofLinks);
  metadataRoutes(router, {
    ...needs,
    anybody: doors.publicAccess(rateLimits("metadata"), claimCookie),
  });
  resolveRoutes(router, {
    ...needs,
    anybody: doors.publicAccess(rateLimits("resolveLink"), claimCookie),
  });
  ownAccountRoutes(router, {
    ...needs,
    sessions,
    signedIn: doors.requiredSession(rateLimits("ownAccount"), sessions),
  });
  reportRoutes(router, {
    ...needs,
    anybody: doors.publicAccess(rateLimits("reports"), claimCookie),
  });
  sessionRoutes(router, { ...needs, signedIn });
  amazonAdsRoutes(router, { ...needs, maybeSignedIn, signedIn });
  visitorRoutes(router, { claimCookie, anybody });
  return router;
}
