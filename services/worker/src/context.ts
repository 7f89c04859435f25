import type { Logger } from "@tapthru/runtime/logger";
import { createMetrics } from "@tapthru/runtime/metrics";
import { createPostgres, type Postgres } from "@tapthru/runtime/postgres";
import { observePostgres } from "@tapthru/runtime/postgres-metrics";
import type { Registry } from "prom-client";
import type { Config } from "./config.ts";

const POSTGRES_LIMITS = { maxConnections: 5, statementTimeoutMs: 10_000, acquireTimeoutMs: 5_000 };

export interface Context {
  db: Postgres;
  logger: Logger;
  registry: Registry;
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
  observePostgres(registry, db);
  return { db, logger, registry };
}
