import { Router } from "@koa/router";
import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import { createHttpMetrics, type HttpMetrics } from "@tapthru/runtime/http/http-metrics";
import type { Logger } from "@tapthru/runtime/logger";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import Koa from "koa";
import type { Registry } from "prom-client";
import type { AccountChecks } from "./accounts/account-checks.ts";
import type { IdentityProvider } from "./accounts/identity.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { type AmazonAdsRoutesDependencies, amazonAdsRoutes } from "./amazon-ads/routes.ts";
import type { ClickStore } from "./clicks/click-store.ts";
import { clickRoutes } from "./clicks/routes.ts";
import { type DigestRoutesDependencies, digestRoutes } from "./digest/routes.ts";
import { replyHeaders, requireSameOrigin, secureCookies } from "./http/browser-security.ts";
import { ClaimCookie } from "./http/claim-cookie.ts";
import { errorReplies } from "./http/error-replies.ts";
import * as guards from "./http/guards.ts";
import type { RateLimits } from "./http/rate-limits.ts";
import { requestContext } from "./http/request-context.ts";
import { type ShedLoadDependencies, shedLoad } from "./http/shed-load.ts";
import { rejectUnmatchedRoute } from "./http/unmatched-route.ts";
import type { QueueImport } from "./imports/queue-import.ts";
import { importRoutes } from "./imports/routes.ts";
import { createKeyAuthentication } from "./keys/key-access.ts";
import type { KeyUses } from "./keys/key-uses.ts";
import { keyRoutes } from "./keys/routes.ts";
import { labelRoutes } from "./labels/routes.ts";
import { createRoutes } from "./links/create-routes.ts";
import { identifyCreator } from "./links/creator.ts";
import type { GenerateDependencies } from "./links/generate-link.ts";
import { generateRoute } from "./links/generate-route.ts";
import { ownLinkRoutes } from "./links/own-routes.ts";
import { exportRoutes } from "./links-export/routes.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import type { MetadataDependencies } from "./metadata/find-metadata.ts";
import { metadataRoutes } from "./metadata/routes.ts";
import { type OwnAccountRoutesDependencies, ownAccountRoutes } from "./own-account/routes.ts";
import { patternRoutes } from "./patterns/routes.ts";
import { type ReferenceRoutesDependencies, referenceRoutes } from "./reference/routes.ts";
import { reportRoutes } from "./reports/routes.ts";
import { resolveRoutes } from "./resolve/routes.ts";
import { routingRoutes } from "./routing/routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import { createSessions, type Sessions } from "./sessions/sessions.ts";
import { statusRoutes } from "./status/routes.ts";
import { storeRoutes } from "./stores/routes.ts";
import { visitorRoutes } from "./visitor/routes.ts";
import type { WebhookDependencies } from "./webhooks/change-webhooks.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

type AmazonAdsDependencies = Pick<AmazonAdsRoutesDependencies, "amazonAds" | "pendingAmazonLogins">;

export interface AppDependencies
  extends GenerateDependencies,
    MetadataDependencies,
    AmazonAdsDependencies {
  db: GenerateDependencies["db"];
  clickStore: ClickStore;
  identity: IdentityProvider;
  sessionStore: SessionStore;
  /** Keys that sign the cookies, newest first. */
  sessionKeys: readonly string[];
  rateLimits: RateLimits;
  addressOf(request: Koa.Context["req"]): string;
  /** Creates the time budget of one request for Redis. */
  newRedisBudget(): RedisBudget;
  queueImport: QueueImport;
  accountDeletions: OwnAccountRoutesDependencies["accountDeletions"];
  keyUses: Pick<KeyUses, "record">;
  webhookSecrets: WebhookDependencies["webhookSecrets"];
  allowsLocalWebhooks: boolean;
  sendsDigests: DigestRoutesDependencies["sendsDigests"];
  accountChecks: AccountChecks;
  documentSettings: ReferenceRoutesDependencies["documentSettings"];
  requestLimit: ShedLoadDependencies["requestLimit"];
  turns: ShedLoadDependencies["turns"];
  logger: Logger;
  registry: Registry;
}

/** Creates the Koa application without a server. */
export function createApp(deps: AppDependencies): Koa {
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

function createRouter(deps: AppDependencies, sessions: Sessions): Router {
  const { rateLimits } = deps;
  const claimCookie = new ClaimCookie(deps.publicBaseUrl);
  const otherLimit = rateLimits("otherApi");
  const publicAccess = guards.publicAccess(otherLimit, claimCookie);
  const optionalSession = guards.optionalSession(otherLimit, sessions);
  const requiredSession = guards.requiredSession(otherLimit, sessions);
  const apiKeyLimit = rateLimits("apiKey");
  const authenticateKey = createKeyAuthentication({ ...deps, apiKeyLimit });
  const withScope = (scope: ApiKeyScope) =>
    guards.sessionOrKey(otherLimit, sessions, authenticateKey, scope);
  const readLinks = withScope("links:read");
  const writeLinks = withScope("links:write");
  const readClicks = withScope("clicks:read");
  const linkDependencies = { ...deps, sessions, claimCookie, readLinks, writeLinks };

  // A trailing slash makes a different path: `DELETE /api/sessions/` must not end all sessions.
  const router = new Router({ strict: true, sensitive: true });
  const usersLimit = rateLimits("users");
  const loginLimit = rateLimits("login");
  accountRoutes(router, {
    ...deps,
    sessions,
    usersLimit,
    loginLimit,
    publicAccess,
    optionalSession,
    requiredSession: guards.requiredSession(usersLimit, sessions),
  });
  generateRoute(router, {
    ...linkDependencies,
    identifyCreator: identifyCreator({
      ...linkDependencies,
      authenticateKey,
      generateLimit: rateLimits("generate"),
    }),
  });
  createRoutes(router, {
    ...linkDependencies,
    createOne: guards.withLimit(rateLimits("generate"), writeLinks),
    createMany: guards.withLimit(rateLimits("createLinks"), writeLinks),
  });
  labelRoutes(router, { ...deps, readLinks, writeLinks });
  ownLinkRoutes(router, {
    ...linkDependencies,
    checkLinks: guards.withLimit(rateLimits("checkLink"), writeLinks),
    generateLimit: rateLimits("generate"),
  });
  clickRoutes(router, { ...deps, readClicks });
  patternRoutes(router, {
    ...linkDependencies,
    requiredSession,
    visitLimit: rateLimits("go"),
    createLimit: rateLimits("createByPattern"),
  });
  importRoutes(router, {
    ...deps,
    readLinks,
    writeLinks,
    createImports: guards.withLimit(rateLimits("createImports"), writeLinks),
  });
  mcpRoutes(router, {
    ...linkDependencies,
    generateLimit: rateLimits("generate"),
    requiredKey: guards.requiredKey(otherLimit, authenticateKey),
  });
  metadataRoutes(router, {
    ...deps,
    publicAccess: guards.publicAccess(rateLimits("metadata"), claimCookie),
  });
  resolveRoutes(router, {
    ...deps,
    publicAccess: guards.publicAccess(rateLimits("resolveLink"), claimCookie),
  });
  const requiredSessionForAccount = guards.requiredSession(rateLimits("ownAccount"), sessions);
  ownAccountRoutes(router, { ...deps, sessions, requiredSession: requiredSessionForAccount });
  digestRoutes(router, { ...deps, publicAccess, requiredSession });
  keyRoutes(router, {
    ...deps,
    // Requests of a leaked key do not count for it.
    requiredSession: guards.requiredSession(rateLimits("manageKeys"), sessions),
    requiredSessionToCreate: requiredSessionForAccount,
  });
  exportRoutes(router, {
    ...deps,
    readLinks: guards.withLimit(rateLimits("exportLinks"), readLinks),
  });
  referenceRoutes(router, { ...deps, publicAccess });
  reportRoutes(router, {
    ...deps,
    publicAccess: guards.publicAccess(rateLimits("reports"), claimCookie),
  });
  routingRoutes(router, { ...linkDependencies, readLinks, writeLinks });
  sessionRoutes(router, { ...deps, sessions, loginLimit, requiredSession });
  statusRoutes(router, { ...deps, publicAccess });
  storeRoutes(router, { ...deps, readLinks, writeLinks });
  amazonAdsRoutes(router, { ...deps, optionalSession, requiredSession });
  webhookRoutes(router, {
    ...deps,
    requiredSession,
    requiredSessionToChange: guards.requiredSession(rateLimits("changeWebhooks"), sessions),
  });
  visitorRoutes(router, { claimCookie, publicAccess });
  return router;
}
