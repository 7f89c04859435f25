import type { Config } from "@tapthru/runtime/config/configs";
import { createAdminServer } from "@tapthru/runtime/http/admin-server";
import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { createMetrics } from "@tapthru/runtime/metrics/metrics";
import { registerPostgresMetrics } from "@tapthru/runtime/postgres/metrics";
import { POOL_SIZES } from "@tapthru/runtime/postgres/pool-sizes";
import { createPostgres } from "@tapthru/runtime/postgres/postgres";
import { createReadiness } from "@tapthru/runtime/readiness";
import { registerRedisMetrics } from "@tapthru/runtime/redis/metrics";
import { createRedirectStore, storedCodes } from "@tapthru/runtime/redis/redirect-store";
import { createRequestRedis } from "@tapthru/runtime/redis/redis";
import { createPositionStore } from "./position.ts";
import { createRegionRelay } from "./region-relay.ts";

const REDIS_BUDGET_MS = 2_000;
/** A connection that does not respond is replaced soon, so that a region that was cut off does not wait for it. */
const POSTGRES_LIMITS = {
  maxConnections: POOL_SIZES["region-relay"],
  statementTimeoutMs: 2_000,
  acquireTimeoutMs: 2_000,
};

/** The components of the region relay in start order. Redis and Postgres may be unavailable. */
export function createRegionComponents(
  config: Config<"region-relay">,
  logger: Logger,
): Component[] {
  const registry = createMetrics(config.TAPTHRU_VERSION);
  const db = createPostgres({
    url: config.DATABASE_URL,
    applicationName: "tapthru-region-relay",
    ...POSTGRES_LIMITS,
    logger,
  });
  const cache = createRequestRedis({
    url: config.REDIS_CACHE_URL,
    name: "cache",
    budgetMs: REDIS_BUDGET_MS,
    logger,
  });
  registerPostgresMetrics(registry, db);
  registerRedisMetrics(registry, [cache]);
  const relay = createRegionRelay({
    db,
    redirectStore: createRedirectStore(cache, logger),
    position: createPositionStore(cache),
    storedCodes: () => storedCodes(cache),
    registry,
    logger,
  });
  const readiness = createReadiness({
    readinessReason: () =>
      relay.hasCaughtUp ? null : "no change has been relayed to the region yet",
  });
  const { HOST: host, ADMIN_PORT: port } = config;
  return [
    createAdminServer({ host, port, registry, logger, readiness }),
    cache,
    db,
    relay,
    readiness,
  ];
}
