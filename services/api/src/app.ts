import type { Router } from "@koa/router";
import { createHttpMetrics, type HttpMetrics } from "@tapthru/core/platform/http/http-metrics";
import Koa from "koa";
import { createLoginLimits } from "./accounts/built-in/login-limits.ts";
import { loginRoutes } from "./accounts/built-in/login-routes.ts";
import { openIdRoutes } from "./accounts/built-in/open-id-routes.ts";
import { ownLoginRoutes } from "./accounts/built-in/own-login-routes.ts";
import { createReportChange } from "./accounts/built-in/report-change.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { acmeChallengeRoutes } from "./acme-challenge/routes.ts";
import { activityHandlers } from "./activity/activity.ts";
import { amazonAdsHandlers } from "./amazon-ads/amazon-ads.ts";
import { createApi } from "./api.ts";
import { channelHandlers } from "./channels/channels.ts";
import { clickHandlers } from "./clicks/clicks.ts";
import type { Context } from "./context.ts";
import { digestRoutes } from "./digest/routes.ts";
import { domainHandlers } from "./domains/domains.ts";
import { earningsHandlers } from "./earnings/earnings.ts";
import { earningsImportHandlers } from "./earnings-imports/earnings-imports.ts";
import {
  allowKeys,
  replyHeaders,
  requireSameOrigin,
  secureCookies,
} from "./http/browser-security.ts";
import { errorReplies } from "./http/error-replies.ts";
import * as guards from "./http/guards.ts";
import { ApiRouter } from "./http/mount.ts";
import { recognizeLoadTest } from "./http/rate-limit-token.ts";
import { requestContext } from "./http/request-context.ts";
import { shedLoad } from "./http/shed-load.ts";
import { rejectUnmatchedRoute } from "./http/unmatched-route.ts";
import { importHandlers } from "./imports/imports.ts";
import { keyRoutes } from "./keys/routes.ts";
import { labelHandlers } from "./labels/labels.ts";
import { linkHandlers } from "./links/links.ts";
import { createLinkHandlers, generateHandlers } from "./links/new-links.ts";
import { linksExportHandlers } from "./links-export/links-export.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { metadataRoutes } from "./metadata/routes.ts";
import { operatorActivityHandlers } from "./operator/activity.ts";
import { operatorDomainHandlers } from "./operator/domains.ts";
import { operatorGuard } from "./operator/guard.ts";
import { operatorLinkHandlers } from "./operator/links.ts";
import { operatorReportHandlers } from "./operator/reports.ts";
import { operatorSignUpHandlers } from "./operator/sign-up.ts";
import { systemHandlers } from "./operator/system.ts";
import { operatorUserHandlers } from "./operator/users.ts";
import { ownAccountHandlers } from "./own-account/own-account.ts";
import { patternHandlers } from "./patterns/patterns.ts";
import { proofOfWorkRoutes } from "./proof-of-work/routes.ts";
import { referenceRoutes } from "./reference/routes.ts";
import { reportRoutes } from "./reports/routes.ts";
import { resolveRoutes } from "./resolve/routes.ts";
import { routingHandlers } from "./routing/routing.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { createSessions, type Sessions } from "./sessions/sessions.ts";
import { statusRoutes } from "./status/routes.ts";
import { storeHandlers } from "./stores/stores.ts";
import { visitorRoutes } from "./visitor/routes.ts";
import { webhookHandlers } from "./webhooks/webhooks.ts";

export function createApp(deps: Context): Koa {
  const app = new Koa({ keys: [...deps.sessionKeys] });
  const sessions = createSessions(app, deps);

  // Koa sets `headerSent` on errors that occur after the client has disconnected.
  app.on("error", (err: object) => {
    const level = "headerSent" in err ? "debug" : "error";
    deps.logger[level](
      { event: "response_not_delivered", err },
      "response did not reach the client",
    );
  });
  const httpMetrics = createHttpMetrics(deps.registry);
  app.use(replyHeaders);
  app.use(allowKeys);
  app.use(recognizeLoadTest(deps.rateLimitToken));
  const otherLimit = deps.rateLimits("otherApi");
  const countRejected = (ctx: Koa.Context) => {
    ctx.state.log = deps.logger;
    ctx.state.redisBudget = deps.newRedisBudget();
    return otherLimit.countAddress(ctx);
  };
  app.use(shedLoad({ ...deps, httpMetrics, countRejected }));
  app.use(requestContext({ ...deps, httpMetrics }));
  app.use(errorReplies);
  app.use(requireSameOrigin(deps.publicBaseUrl));
  app.use(secureCookies(deps.publicBaseUrl));
  const router = createRouter(deps, sessions);
  initializeRouteMetrics(router, httpMetrics);
  app.use(rejectUnmatchedRoute(router));
  app.use(router.routes());
  return app;
}

function initializeRouteMetrics(router: Router, httpMetrics: HttpMetrics): void {
  for (const { path, methods } of router.stack) {
    httpMetrics.ofRoute(
      String(path),
      methods.filter((method) => method !== "HEAD"),
    );
  }
}

function createRouter(context: Context, sessions: Sessions): ApiRouter {
  const app = createApi(context, sessions);
  const router = new ApiRouter(guards.createGuards({ ...app, operator: operatorGuard(app) }));
  if (context.builtIn !== null) {
    const identity = {
      ...app,
      ...context.builtIn,
      sendsEmail: context.emails !== null,
      loginLimits: createLoginLimits({ ...context, identityLimit: app.rateLimits("identity") }),
      reportChange: createReportChange(context),
    };
    loginRoutes(router, identity);
    ownLoginRoutes(router, identity);
    if (context.builtIn.openId !== null) {
      openIdRoutes(router, { ...identity, openId: context.builtIn.openId });
    }
  }
  for (const routes of ROUTES) routes(router, app);
  return router;
}

/** In this order: the first that matches a path responds. */
const ROUTES = [
  ...[accountRoutes, activityHandlers, generateHandlers, createLinkHandlers, domainHandlers],
  ...[
    labelHandlers,
    linkHandlers,
    clickHandlers,
    earningsHandlers,
    patternHandlers,
    importHandlers,
  ],
  ...[earningsImportHandlers, mcpRoutes, metadataRoutes, resolveRoutes, ownAccountHandlers],
  ...[digestRoutes, keyRoutes, linksExportHandlers, proofOfWorkRoutes, referenceRoutes],
  ...[reportRoutes, routingHandlers, sessionRoutes, statusRoutes, storeHandlers, channelHandlers],
  ...[amazonAdsHandlers, webhookHandlers, visitorRoutes, acmeChallengeRoutes],
  ...[operatorReportHandlers, operatorUserHandlers, operatorLinkHandlers, operatorDomainHandlers],
  ...[operatorSignUpHandlers, systemHandlers, operatorActivityHandlers],
] as const;
