import type { Router } from "@koa/router";
import { createHttpMetrics, type HttpMetrics } from "@tapthru/core/platform/http/http-metrics";
import Koa from "koa";
import { accountHandlers } from "./accounts/accounts.ts";
import { createApi } from "./api.ts";
import * as guards from "./callers/guards.ts";
import { ApiRouter } from "./callers/handlers.ts";
import { createSessions, type Sessions } from "./callers/sessions.ts";
import { complianceReportHandlers } from "./compliance-report/report.ts";
import type { Context } from "./context.ts";
import { domainHandlers } from "./domains/domains.ts";
import { earningsHandlers } from "./earnings/earnings.ts";
import { earningsImportHandlers } from "./earnings-imports/earnings-imports.ts";
import { allowKeys, replyHeaders, requireSameOrigin, secureCookies } from "./http/browser-security.ts";
import { errorReplies } from "./http/error-replies.ts";
import { recognizeLoadTest } from "./http/rate-limits.ts";
import { requestContext } from "./http/request-context.ts";
import { shedLoad } from "./http/shed-load.ts";
import { rejectUnmatchedRoute } from "./http/unmatched-route.ts";
import { labelHandlers } from "./links/labels.ts";
import { linkListHandlers } from "./links/link-lists.ts";
import { linkHandlers } from "./links/links.ts";
import { createLinkHandlers, generateHandlers } from "./links/new-links.ts";
import { loginHandlers, openIdRoutes } from "./login/login.ts";
import { createLoginApi } from "./login/login-api.ts";
import { ownLoginHandlers } from "./login/own-login.ts";
import { sessionHandlers } from "./login/own-sessions.ts";
import { passwordResetHandlers } from "./login/password-reset.ts";
import { oauthHandlers, oauthRoutes } from "./mcp/oauth.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { operatorAbuseReportHandlers } from "./operator/abuse-reports.ts";
import { operatorDomainHandlers } from "./operator/domains.ts";
import { operatorGuard } from "./operator/guard.ts";
import { operatorLinkHandlers } from "./operator/links.ts";
import { operatorSignUpHandlers } from "./operator/sign-up.ts";
import { systemHandlers } from "./operator/system.ts";
import { operatorUserHandlers } from "./operator/users.ts";
import { referenceRoutes } from "./reference/reference.ts";
import { abuseReportHandlers } from "./resources/abuse-reports.ts";
import { acmeChallengeRoutes } from "./resources/acme-challenge.ts";
import { activityHandlers } from "./resources/activity.ts";
import { amazonAdsHandlers } from "./resources/amazon-ads.ts";
import { channelHandlers } from "./resources/channels.ts";
import { clickHandlers } from "./resources/clicks.ts";
import { keyHandlers } from "./resources/keys.ts";
import { linksExportHandlers } from "./resources/links-export.ts";
import { memberHandlers } from "./resources/members.ts";
import { metadataHandlers } from "./resources/metadata.ts";
import { ownAccountHandlers } from "./resources/own-account.ts";
import { routingHandlers } from "./resources/routing.ts";
import { sharedPageHandlers } from "./resources/shared-pages.ts";
import { shlinkHandlers } from "./resources/shlink.ts";
import { statusHandlers } from "./resources/status.ts";
import { storeHandlers } from "./resources/stores.ts";
import { unsubscribeRoutes } from "./resources/unsubscribe.ts";
import { visitorHandlers } from "./resources/visitor.ts";
import { webhookHandlers } from "./resources/webhooks.ts";

export function createApp(deps: Context): Koa {
  const app = new Koa();
  app.keys = [...deps.sessionKeys];
  const sessions = createSessions(app, deps);

  // Koa sets `headerSent` on errors that occur after the client has disconnected.
  app.on("error", (err: object) => {
    const level = "headerSent" in err ? "debug" : "error";
    deps.logger[level]({ event: "response_not_delivered", err }, "response did not reach the client");
  });
  const httpMetrics = createHttpMetrics(deps.registry);
  app.use(replyHeaders);
  const router = createRouter(deps, sessions);
  const takesKeys = (ctx: Koa.Context) => router.takesKeys(ctx);
  app.use(allowKeys(takesKeys));
  app.use(recognizeLoadTest(deps.rateLimitToken));
  app.use(shedLoad({ ...deps, httpMetrics, credentialOf: sessions.credentialOf }));
  app.use(requestContext({ ...deps, httpMetrics }));
  app.use(errorReplies);
  app.use(requireSameOrigin(deps.publicBaseUrl, takesKeys));
  app.use(secureCookies(deps.publicBaseUrl));
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
    const login = createLoginApi(app, context.builtIn);
    loginHandlers(router, login);
    ownLoginHandlers(router, login);
    passwordResetHandlers(router, login);
    const { openId } = login;
    if (openId !== null) openIdRoutes(router, { ...login, openId });
  }
  for (const routes of ROUTES) routes(router, app);
  return router;
}

/** In this order: the first that matches a path responds. */
const ROUTES = [
  accountHandlers,
  activityHandlers,
  generateHandlers,
  createLinkHandlers,
  domainHandlers,
  labelHandlers,
  linkListHandlers,
  linkHandlers,
  clickHandlers,
  earningsHandlers,
  earningsImportHandlers,
  mcpRoutes,
  metadataHandlers,
  oauthHandlers,
  oauthRoutes,
  ownAccountHandlers,
  unsubscribeRoutes,
  keyHandlers,
  memberHandlers,
  linksExportHandlers,
  complianceReportHandlers,
  referenceRoutes,
  abuseReportHandlers,
  routingHandlers,
  sessionHandlers,
  sharedPageHandlers,
  statusHandlers,
  storeHandlers,
  shlinkHandlers,
  channelHandlers,
  amazonAdsHandlers,
  webhookHandlers,
  visitorHandlers,
  acmeChallengeRoutes,
  operatorAbuseReportHandlers,
  operatorUserHandlers,
  operatorLinkHandlers,
  operatorDomainHandlers,
  operatorSignUpHandlers,
  systemHandlers,
] as const;
