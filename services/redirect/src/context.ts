import { createHttpMetrics, type HttpMetrics } from "@tapthru/runtime/http/http-metrics";
import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { createMetrics } from "@tapthru/runtime/metrics/metrics";
import { registerPostgresMetrics } from "@tapthru/runtime/postgres/metrics";
import { createPostgres } from "@tapthru/runtime/postgres/postgres";
import { registerRedisMetrics } from "@tapthru/runtime/redis/metrics";
import { createRedirectStore, type RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import { createRequestRedis } from "@tapthru/runtime/redis/redis";
import type { Registry } from "prom-client";
import type { Config } from "./config.ts";
import { createOpeningTables } from "./opening-tables.ts";
import { createOutcomes, type Outcomes } from "./outcome/outcomes.ts";
import { createRedirectMetrics, type RedirectMetrics } from "./redirect-metrics.ts";
import type { Site } from "./replies.ts";
import { registerResolverMetrics } from "./resolve/resolve-metrics.ts";
import { createResolverStack, type ResolverStack } from "./resolve/resolver-stack.ts";
import { type ClientReader, createClientReader } from "./visitor.ts";

/** The reserved ones read changes: look-ups never make them late. */
const CONNECTIONS = { maxConnections: 10, reservedConnections: 2, openConnections: 10 };

/** How long is waited for what. */
export const TIMEOUTS = {
  /** The whole of a request's time for Redis; then it counts as away. */
  redisBudgetMs: 50,
  /** The whole of a request's time for Postgres, waiting for a connection included. */
  lookupDeadlineMs: 250,
  statementTimeoutMs: 500,
  /** A look-up has no time to wait for a connection to be opened. */
  acquireTimeoutMs: 250,
  /** A round of the tail that gets no page within it has failed; the next ends before freshness does. */
  changesDeadlineMs: 300,
};
type Waits = typeof TIMEOUTS;

export interface Context {
  redirectStore: RedirectStore;
  resolving: ResolverStack;
  metrics: RedirectMetrics;
  httpMetrics: HttpMetrics;
  site: Site;
  readClient: ClientReader;
  outcomes: Outcomes;
  trustedProxies: string[];
  logger: Logger;
  registry: Registry;
  /** The clients and what keeps asking them, to be stopped after the server. */
  parts: Component[];
}

/** Turns configuration into clients. Neither Redis nor Postgres has to be there yet. */
export function createContext(config: Config, logger: Logger, waits: Waits = TIMEOUTS): Context {
  const registry = createMetrics(config.TAPTHRU_VERSION);
  const redis = createRequestRedis({
    url: config.REDIS_CACHE_URL,
    name: "cache",
    budgetMs: waits.redisBudgetMs,
    logger,
  });
  const postgres = createPostgres({
    url: config.DATABASE_URL,
    applicationName: "tapthru-redirect",
    ...CONNECTIONS,
    statementTimeoutMs: waits.statementTimeoutMs,
    acquireTimeoutMs: waits.acquireTimeoutMs,
    logger,
  });
  registerPostgresMetrics(registry, postgres);
  registerRedisMetrics(registry, [redis]);
  const redirectStore = createRedirectStore(redis, logger);
  const resolving = createResolverStack({
    postgres,
    redirectStore,
    redisUrl: config.REDIS_CACHE_URL,
    lookupDeadlineMs: waits.lookupDeadlineMs,
    changesDeadlineMs: waits.changesDeadlineMs,
    limitsUnknownCodes: config.RATE_LIMITS === "on",
    logger,
  });
  registerResolverMetrics(registry, resolving);
  const openingTables = createOpeningTables(config.APP_OPENING_FILE, { logger, registry });

  return {
    redirectStore,
    resolving,
    metrics: createRedirectMetrics(registry),
    httpMetrics: createHttpMetrics(registry),
    site: { publicBaseUrl: config.PUBLIC_BASE_URL, productName: config.PRODUCT_NAME },
    readClient: createClientReader(openingTables.current),
    outcomes: createOutcomes({
      key: config.OUTCOME_KEY,
      limitsReports: config.RATE_LIMITS === "on",
      registry,
    }),
    trustedProxies: config.TRUSTED_PROXIES,
    logger,
    registry,
    parts: [openingTables, redis, postgres, ...resolving.parts],
  };
}
