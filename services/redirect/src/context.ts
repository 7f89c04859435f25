import type { Config } from "@tapthru/core/platform/config/configs";
import { createHttpMetrics, type HttpMetrics } from "@tapthru/core/platform/http/http-metrics";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import { registerPostgresMetrics } from "@tapthru/core/platform/postgres/metrics";
import { POOL_SIZES } from "@tapthru/core/platform/postgres/pool-sizes";
import { createPostgres } from "@tapthru/core/platform/postgres/postgres";
import { registerRedisMetrics } from "@tapthru/core/platform/redis/metrics";
import { createRedirectStore, type RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { createRequestRedis } from "@tapthru/core/platform/redis/redis";
import type { Registry } from "prom-client";
import { type Clicks, createClicks } from "./clicks/clicks.ts";
import { createOutcomes, type Outcomes } from "./outcome/outcomes.ts";
import { createResolverStack, type ResolverStack } from "./resolve/resolver-stack.ts";
import { createStrategyTableLoader } from "./strategy-table.ts";
import { createRedirectMetrics, type RedirectMetrics } from "./visit/redirect-metrics.ts";
import type { Site } from "./visit/replies.ts";
import { openCountryDatabase } from "./visitor/country-database.ts";
import { type ClientParser, createClientParser } from "./visitor/visitor.ts";
import { type CountryOf, createVisitorCountry } from "./visitor/visitor-country.ts";

/** Changes are read on the reserved connections, so that lookups cannot delay them. */
const CONNECTIONS = {
  maxConnections: POOL_SIZES.redirect,
  reservedConnections: 2,
  openConnections: POOL_SIZES.redirect,
};

export const TIMEOUTS = {
  /** Time a request may spend on Redis in total. After that, Redis is treated as unavailable. */
  redisBudgetMs: 50,
  /** For one batch of clicks. No request waits for it. */
  queueBudgetMs: 2_000,
  /** Time a request may spend on Postgres in total, including the wait for a connection. */
  lookupDeadlineMs: 250,
  statementTimeoutMs: 500,
  /** Long enough to open a connection to a Postgres that is 200 ms away: seven round trips. A lookup does not wait for it. */
  acquireTimeoutMs: 1_500,
  /** Timeout for one page of changes. After a timeout, one more round fits before `freshUntil`. */
  changesDeadlineMs: 300,
};
type Timeouts = typeof TIMEOUTS;

export interface Context {
  redirectStore: RedirectStore;
  resolverStack: ResolverStack;
  metrics: RedirectMetrics;
  httpMetrics: HttpMetrics;
  site: Site;
  parseClient: ClientParser;
  outcomes: Outcomes;
  countryOf: CountryOf;
  clicks: Clicks;
  trustedProxies: string[];
  logger: Logger;
  registry: Registry;
  /** Clients and polling loops. They stop after the server. */
  components: Component[];
}

/** Creates all clients. Redis and Postgres may still be unavailable. */
export function createContext(config: Config<"redirect">, logger: Logger, timeouts: Timeouts = TIMEOUTS): Context {
  const registry = createMetrics(config.TAPTHRU_VERSION);
  const redis = createRequestRedis({
    url: config.REDIS_CACHE_URL,
    name: "cache",
    budgetMs: timeouts.redisBudgetMs,
    logger,
  });
  const postgres = createPostgres({
    url: config.DATABASE_URL,
    applicationName: "tapthru-redirect",
    ...CONNECTIONS,
    statementTimeoutMs: timeouts.statementTimeoutMs,
    acquireTimeoutMs: timeouts.acquireTimeoutMs,
    preparedStatements: config.PREPARED_STATEMENTS,
    logger,
  });
  registerPostgresMetrics(registry, postgres);
  const queueRedis = createRequestRedis({
    url: config.REDIS_QUEUE_URL,
    name: "queue",
    budgetMs: timeouts.queueBudgetMs,
    logger,
  });
  registerRedisMetrics(registry, [redis, queueRedis]);
  const redirectStore = createRedirectStore(redis, logger);
  const resolverStack = createResolverStack({
    postgres,
    redirectStore,
    redisUrl: config.REDIS_CACHE_URL,
    linkCacheBytes: config.LINK_CACHE_BYTES,
    lookupDeadlineMs: timeouts.lookupDeadlineMs,
    changesDeadlineMs: timeouts.changesDeadlineMs,
    hasRateLimits: config.RATE_LIMITS === "on",
    registry,
    logger,
  });
  const strategyTable = createStrategyTableLoader(config.APP_OPENING_FILE, { logger, registry });
  const countries = openCountryDatabase(config.COUNTRY_DATABASE);
  logger.info({ event: "country_database_loaded", builtAt: countries.builtAt }, "country database loaded");
  const countryOf = createVisitorCountry({ countryHeader: config.COUNTRY_HEADER, countries });
  const clicks = createClicks({
    isOn: config.CLICKS === "on",
    countryOf,
    redis: queueRedis,
    registry,
    logger,
  });

  return {
    redirectStore,
    resolverStack,
    metrics: createRedirectMetrics(registry),
    httpMetrics: createHttpMetrics(registry),
    site: { publicBaseUrl: config.PUBLIC_BASE_URL, productName: config.PRODUCT_NAME },
    parseClient: createClientParser(strategyTable.current),
    outcomes: createOutcomes({
      key: config.OUTCOME_KEY,
      hasRateLimits: config.RATE_LIMITS === "on",
      registry,
    }),
    countryOf,
    clicks,
    trustedProxies: config.TRUSTED_PROXIES,
    logger,
    registry,
    components: [strategyTable, redis, postgres, ...resolverStack.components, ...clicks.components],
  };
}
