import { createClickReader } from "@tapthru/core/clicks/click-reader";
import { createWebhookSecrets } from "@tapthru/core/platform/cipher";
import type { Config } from "@tapthru/core/platform/config/configs";
import { dailyKeys } from "@tapthru/core/platform/daily-keys";
import { registerFailedItems } from "@tapthru/core/platform/failed-items";
import { countFailedJobs } from "@tapthru/core/platform/jobs/queue";
import { registerQueueMemory } from "@tapthru/core/platform/jobs/queue-memory";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import { registerPostgresMetrics } from "@tapthru/core/platform/postgres/metrics";
import { POOL_SIZES, REPORT_CONNECTIONS } from "@tapthru/core/platform/postgres/pool-sizes";
import { createPostgres } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { registerRedisMetrics } from "@tapthru/core/platform/redis/metrics";
import { createRedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { createRequestRedis } from "@tapthru/core/platform/redis/redis";
import { followShortLink } from "@tapthru/core/platform/safe-fetch/follow-short-link";
import { createSafeFetch, userAgentFor } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { DUE_KINDS, JOBS } from "@tapthru/proto/jobs/catalogue";
import { LINKS_PER_UNCONFIRMED_ACCOUNT, MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { createAccountChecks } from "./accounts/account-checks.ts";
import { createBuiltIn } from "./accounts/built-in/built-in-identity.ts";
import { createEmails } from "./accounts/built-in/emails.ts";
import { createSendNotice } from "./accounts/notices.ts";
import type { IdentityProvider } from "./callers/identity.ts";
import { createKeyUses } from "./callers/key-access.ts";
import { createAddressHash } from "./callers/request-actor.ts";
import { createSessionStore } from "./callers/session-store.ts";
import { createSiteAddresses } from "./domains/site-addresses.ts";
import { clientAddress, createRateLimits, NO_RATE_LIMITS } from "./http/rate-limits.ts";
import { createUploads } from "./http/uploads.ts";
import { createAnonymousBudget } from "./links/anonymous-budget.ts";
import { createLinkProjector } from "./links/project-links.ts";
import { createPageReadQueue, createWaitLimiter } from "./links/queue-read.ts";
import { cacheResolutions, resolvedUrl } from "./links/resolution-cache.ts";
import { createAccountDeletions } from "./resources/account-deletions.ts";
import { createLoginWithAmazon } from "./resources/login-with-amazon.ts";
import { createWebhookAccounts } from "./resources/webhook-accounts.ts";

const EMAILS_PER_ADDRESS_AND_HOUR = 5;
/** Total time that a request may wait for Redis. After that Redis counts as unavailable. */
const REDIS_BUDGET_MS = 250;
export const POSTGRES_LIMITS = {
  maxConnections: POOL_SIZES.api as number,
  statementTimeoutMs: 1_000,
  acquireTimeoutMs: 500,
};
/**
 * Of the pool for what adds up the clicks or sales of all links of a user: it does not delay other requests. The gateway waits for ten
 * seconds for a connection and a statement.
 */
export const REPORT_LIMITS = { statementTimeoutMs: 8_000, acquireTimeoutMs: 1_500 };
type PostgresLimits = typeof POSTGRES_LIMITS;

export type Context = Awaited<ReturnType<typeof createContext>>;

/** Creates all clients from the configuration. Redis and Postgres need not be available yet. */
export async function createContext(
  config: Config<"api">,
  logger: Logger,
  postgresLimits: PostgresLimits = POSTGRES_LIMITS,
) {
  const registry = createMetrics(config.TAPTHRU_VERSION);
  const createRedis = (name: string, url: string) =>
    createRequestRedis({ url, name, budgetMs: REDIS_BUDGET_MS, logger });
  const redis = createRedis("cache", config.REDIS_CACHE_URL);
  const queueRedis = createRedis("queue", config.REDIS_QUEUE_URL);
  const sessionRedis = createRedis("session", config.REDIS_SESSION_URL ?? config.REDIS_CACHE_URL);
  const postgres = (limits: PostgresLimits & { openConnections?: number }) =>
    createPostgres({
      url: config.DATABASE_URL,
      applicationName: "tapthru-api",
      ...limits,
      preparedStatements: config.PREPARED_STATEMENTS,
      logger,
    });
  // A burst would have no time to open them.
  const db = postgres({ ...postgresLimits, openConnections: postgresLimits.maxConnections });
  const reports = postgres({
    maxConnections: REPORT_CONNECTIONS,
    statementTimeoutMs: Math.max(REPORT_LIMITS.statementTimeoutMs, postgresLimits.statementTimeoutMs),
    acquireTimeoutMs: Math.max(REPORT_LIMITS.acquireTimeoutMs, postgresLimits.acquireTimeoutMs),
  });
  const safeFetch = createSafeFetch({
    standInUrl: config.EGRESS_STAND_IN_URL,
    userAgent: userAgentFor(config),
  });
  registerPostgresMetrics(registry, db);
  registerFailedItems(registry, { db, logger });
  registerRedisMetrics(registry, [redis, queueRedis, sessionRedis]);
  registerQueueMemory(registry, queueRedis);
  const dailyPseudonym = dailyKeys(config.SESSION_KEYS[0] ?? "");
  const addressOf = clientAddress(config.TRUSTED_PROXIES);
  const resolve = cacheResolutions({
    redis,
    follow: (url) => followShortLink(safeFetch, url),
    logger,
  });

  const siteHost = new URL(config.PUBLIC_BASE_URL).hostname;

  const sessionStore = createSessionStore(sessionRedis);
  const secrets = config.ENCRYPTION_KEYS;
  const emails =
    config.SMTP_FROM === null || secrets === null
      ? null
      : createEmails({
          redis: queueRedis,
          secrets,
          publicBaseUrl: config.PUBLIC_BASE_URL,
          maxPerHour: config.RATE_LIMITS === "off" ? null : EMAILS_PER_ADDRESS_AND_HOUR,
          dailyPseudonym,
          logger,
        });
  const builtIn =
    config.FIREBASE_PROJECT_ID === null && secrets !== null
      ? createBuiltIn({ config, db, emails, limits: postgresLimits, logger }, secrets)
      : null;
  const identity = builtIn?.identity ?? (await loadFirebase(config, logger));
  const accountDeletions = createAccountDeletions({ db, identity, sessionStore, logger });
  const accountChecks = createAccountChecks({ redis: sessionRedis, identity, logger });
  const webhookAccounts = createWebhookAccounts({ db, identity, logger });
  const hasLimits = config.RATE_LIMITS === "on";
  // Load tests of a demo sign up, and confirm no address.
  const unconfirmed = config.TAPTHRU_ENV === "local" ? null : LINKS_PER_UNCONFIRMED_ACCOUNT;
  const clients: Component[] = [
    redis,
    queueRedis,
    sessionRedis,
    db,
    reports,
    identity,
    accountDeletions,
    webhookAccounts,
  ];

  return {
    db,
    reports,
    clickReader: createClickReader(db, reports),
    identity,
    /** Null if Firebase is the identity provider. */
    builtIn,
    emails,
    sendNotice: createSendNotice(db, emails, logger),
    signUpMode: config.SIGNUP_MODE,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    acmeDirectoryUrl: config.TLS === "on" ? config.ACME_DIRECTORY_URL : null,
    hasDomains: config.TLS === "on",
    linkLimits: {
      confirmed: config.LINKS_PER_ACCOUNT,
      unconfirmed: builtIn !== null && emails === null ? null : (config.LINKS_PER_UNCONFIRMED_ACCOUNT ?? unconfirmed),
    },
    hostNames: { siteHost, allowsTestNames: config.TAPTHRU_ENV === "local" },
    findSiteAddresses: createSiteAddresses(siteHost),
    newRedisBudget: redis.newBudget,
    resolveShortLink: async (url: string, budget: RedisBudget) => resolvedUrl(await resolve(url, budget)),
    queueRead: createPageReadQueue({ redis: queueRedis, dailyPseudonym, logger }),
    uploads: createUploads(),
    waitLimiter: createWaitLimiter(),
    projectLinks: createLinkProjector(createRedirectStore(redis, logger), logger),
    sessionStore,
    accountDeletions,
    keyUsed: createKeyUses({ db, logger }),
    accountChecks,
    webhookAccounts,
    sessionKeys: config.SESSION_KEYS,
    webhookSecrets: config.WEBHOOK_KEYS && createWebhookSecrets(config.WEBHOOK_KEYS),
    sendsEmails: config.SMTP_FROM !== null,
    allowsLocalWebhooks: config.TAPTHRU_ENV === "local",
    loginWithAmazon: createLoginWithAmazon({ config, redis: sessionRedis, safeFetch }),
    requestLimit: { current: MAX_REQUESTS_IN_PROGRESS },
    rateLimitToken: config.RATE_LIMIT_TOKEN,
    rateLimits: hasLimits ? createRateLimits({ redis, addressOf, dailyPseudonym }) : NO_RATE_LIMITS,
    hasLimits,
    anonymousBudget: createAnonymousBudget({
      redis,
      perMinute: hasLimits ? config.ANONYMOUS_CREATES_PER_MINUTE : null,
      registry,
    }),
    countFailedJobs: () => countFailedJobs(queueRedis, [...Object.keys(JOBS), ...DUE_KINDS], logger),
    config,
    addressOf,
    addressHashOf: createAddressHash(config.SESSION_KEYS[0] ?? "", addressOf),
    documentSettings: {
      publicBaseUrl: config.PUBLIC_BASE_URL,
      productName: config.PRODUCT_NAME,
      contactEmail: config.CONTACT_EMAIL,
    },
    logger,
    registry,
    /** Stop them after the components that use them. */
    clients,
    /** Why the service is not ready for its first request; null if it is. */
    readinessReason: () => (db.wasReached ? null : "no connection to Postgres yet"),
  };
}

/** Firebase takes 30 MB of memory: it is loaded only where it is used. */
async function loadFirebase(config: Config<"api">, logger: Logger): Promise<IdentityProvider & Component> {
  const { createFirebaseIdentity } = await import("./accounts/firebase/firebase-identity.ts");
  const projectId = config.FIREBASE_PROJECT_ID ?? "";
  const usesEmulator = config.FIREBASE_AUTH_EMULATOR_HOST !== null;
  return createFirebaseIdentity({ projectId, usesEmulator, logger });
}
