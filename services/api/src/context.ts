import type { Part } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { createMetrics } from "@tapthru/runtime/metrics";
import { createPostgres } from "@tapthru/runtime/postgres";
import { observePostgres } from "@tapthru/runtime/postgres-metrics";
import { createRedirectStore } from "@tapthru/runtime/redirect-store";
import { createRequestRedis, RedisAwayError } from "@tapthru/runtime/redis";
import { createSafeFetch } from "@tapthru/runtime/safe-fetch/safe-fetch";
import type { Registry } from "prom-client";
import type { Config } from "./config.ts";
import type { GenerateNeeds } from "./links/generate-link.ts";
import { createQueueRead } from "./metadata/queue-read.ts";
import { createWaitingRoom, type WaitingRoom } from "./metadata/waiting-room.ts";
import { followShortLink } from "./resolve/follow-short-link.ts";
import { rememberResolutions } from "./resolve/resolution-cache.ts";
import { resolvedUrl } from "./resolve/resolved-url.ts";

/** The whole of a request's time for Redis; then it counts as away. */
const REDIS_BUDGET_MS = 250;
const POSTGRES_LIMITS = { maxConnections: 10, statementTimeoutMs: 1_000, acquireTimeoutMs: 500 };

export interface Context extends GenerateNeeds {
  waitingRoom: WaitingRoom;
  trustedProxies: readonly string[];
  logger: Logger;
  registry: Registry;
  /** The clients, to be closed after everything that asks them. */
  clients: Part[];
  /** What the service still waits for before its first request; null when nothing. */
  whyNotReady(): string | null;
}

/** Turns configuration into clients. Neither Redis nor Postgres has to be there yet. */
export function createContext(config: Config, logger: Logger): Context {
  const registry = createMetrics("api");
  const redis = createRequestRedis({
    url: config.REDIS_CACHE_URL,
    name: "cache",
    budgetMs: REDIS_BUDGET_MS,
    logger,
  });
  const queueRedis = createRequestRedis({
    url: config.REDIS_QUEUE_URL,
    name: "queue",
    budgetMs: REDIS_BUDGET_MS,
    logger,
  });
  const db = createPostgres({
    url: config.DATABASE_URL,
    applicationName: "tapthru-api",
    ...POSTGRES_LIMITS,
    logger,
  });
  const safeFetch = createSafeFetch({
    standInUrl: config.EGRESS_STAND_IN_URL,
    userAgent: `${config.PRODUCT_NAME}/1.0 (+${config.PUBLIC_BASE_URL}; ${config.CONTACT_EMAIL})`,
  });
  observePostgres(registry, db);
  const resolve = rememberResolutions(redis, (url) => followShortLink(safeFetch, url));
  const redirectStore = createRedirectStore(redis, logger);

  return {
    db,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    newRedisBudget: redis.newBudget,
    resolveShortLink: async (url, budget) => resolvedUrl(await resolve(url, budget)),
    queueRead: createQueueRead(queueRedis, logger),
    waitingRoom: createWaitingRoom(),
    trustedProxies: config.TRUSTED_PROXIES,
    async project(shortCode, record, budget) {
      try {
        await redirectStore.put(shortCode, record, budget);
      } catch (error) {
        if (error instanceof RedisAwayError) return;
        logger.error({ err: error }, "Redis takes no redirect records");
      }
    },
    logger,
    registry,
    clients: [redis, queueRedis, db],
    whyNotReady: () => (db.wasReached ? null : "Postgres was not reached yet"),
  };
}
