import type { Part } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { createMetrics } from "@tapthru/runtime/metrics";
import { createPostgres, type Postgres } from "@tapthru/runtime/postgres";
import { observePostgres } from "@tapthru/runtime/postgres-metrics";
import { createRedirectStore, type RedirectStore } from "@tapthru/runtime/redirect-store";
import { createRequestRedis } from "@tapthru/runtime/redis";
import type { Registry } from "prom-client";
import type { Config } from "./config.ts";

/** For one batch of records; then Redis counts as away. */
const REDIS_BUDGET_MS = 2_000;
const POSTGRES_LIMITS = { maxConnections: 8, statementTimeoutMs: 10_000, acquireTimeoutMs: 5_000 };

export interface Context {
  db: Postgres;
  redirectStore: RedirectStore;
  logger: Logger;
  registry: Registry;
  /** The clients, to be closed after everything that asks them. */
  clients: Part[];
  /** What the service still waits for before its first job; null when nothing. */
  whyNotReady(): string | null;
}

/** Turns configuration into clients. Neither Redis nor Postgres has to be there yet. */
export function createContext(config: Config, logger: Logger): Context {
  const registry = createMetrics("worker");
  const db = createPostgres({
    url: config.DATABASE_URL,
    applicationName: "tapthru-worker",
    ...POSTGRES_LIMITS,
    logger,
  });
  const cache = createRequestRedis({
    url: config.REDIS_CACHE_URL,
    name: "cache",
    budgetMs: REDIS_BUDGET_MS,
    logger,
  });
  observePostgres(registry, db);
  return {
    db,
    redirectStore: createRedirectStore(cache, logger),
    logger,
    registry,
    clients: [cache, db],
    whyNotReady: () => (db.wasReached ? null : "Postgres has not been reached yet"),
  };
}
