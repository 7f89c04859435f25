import { changesQuery } from "@tapthru/core/outbox";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { registerGauge } from "@tapthru/core/platform/metrics/metrics";
import type { Postgres } from "@tapthru/core/platform/postgres/postgres";
import type { RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import type { Registry } from "prom-client";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { AddressLimiter } from "../address-limit.ts";
import { createChangeSubscriber } from "./changes/change-subscriber.ts";
import { ChangeTail } from "./changes/change-tail.ts";
import { Clock } from "./clock.ts";
import { type Change, Memory } from "./memory.ts";
import { readPostgres } from "./read-postgres.ts";
import { createRedisLoader } from "./read-redis.ts";
import { createResolver, type Resolver } from "./resolver.ts";

/** Look-ups of short codes in Postgres per redirect replica. */
const CODE_LOOKUPS_MAX_PER_SECOND = 500;
const MAX_ADDRESSES = 20_000;

interface Dependencies {
  postgres: Postgres;
  redirectStore: RedirectStore;
  /** The Redis that publishes changes. */
  redisUrl: string;
  linkCacheBytes: number;
  lookupDeadlineMs: number;
  changesDeadlineMs: number;
  hasRateLimits: boolean;
  registry: Registry;
  logger: Logger;
}

export interface ResolverStack {
  resolver: Resolver;
  clock: Clock;
  memory: Memory;
  tail: ChangeTail;
  /** They start after the clients. */
  components: Component[];
}

export function createResolverStack(deps: Dependencies): ResolverStack {
  const { postgres, redirectStore, redisUrl, logger } = deps;
  const memory = new Memory(deps.linkCacheBytes);
  const clock = new Clock();
  const onChange = (change: Change) => memory.apply(change);
  const tail = new ChangeTail({
    readChanges: (query) => postgres.reserved.one(changesQuery(query)),
    pageDeadlineMs: deps.changesDeadlineMs,
    onChange,
    timeSinceRedisUpToDate: () => redirectStore.timeSinceUpToDate(),
    clock,
    logger,
  });
  const subscriber = createChangeSubscriber({
    redisUrl,
    onChange,
    onSubscribed: () => void tail.sync(),
  });

  const redisLoader = createRedisLoader({ redirectStore, memory, logger });
  const postgresDeps = { redirectStore, memory, logger, db: postgres, tail, deadlineMs: deps.lookupDeadlineMs };
  const resolver = createResolver({
    memory,
    tail,
    readRedis: (shortCode) => redisLoader.load(shortCode),
    readPostgres: (shortCode) => readPostgres(postgresDeps, shortCode),
    unknownCodeLimiter: deps.hasRateLimits
      ? new AddressLimiter({
          perMinute: RATE_LIMITS_PER_MINUTE.unknownCode.address,
          maxAddresses: MAX_ADDRESSES,
        })
      : null,
    lookupRate: new RateLimiterMemory({ points: CODE_LOOKUPS_MAX_PER_SECOND, duration: 1 }),
  });
  registerMetrics(deps, { memory, tail, clock });
  return { resolver, clock, memory, tail, components: [tail, subscriber] };
}

/** Gauges of the replica's memory and of its delay in reading changes. */
function registerMetrics(
  { registry, linkCacheBytes }: Dependencies,
  { memory, tail, clock }: Pick<ResolverStack, "memory" | "tail" | "clock">,
): void {
  const gauge = (name: string, help: string, measure: () => number) => registerGauge(registry, { name, help }, measure);
  gauge("tapthru_redirect_cache_links", "Links in this replica's memory", () => memory.size);
  gauge("tapthru_redirect_cache_bytes", "Estimated size of the links in this replica's memory", () => memory.bytes);
  gauge(
    "tapthru_redirect_cache_max_bytes",
    "LINK_CACHE_BYTES: the maximum size of the links in this replica's memory",
    () => linkCacheBytes,
  );
  gauge(
    "tapthru_redirect_changes_lag_seconds",
    "Time since the start of the last successful read of changes, or since the start of the process",
    () => (performance.now() - tail.lastRoundStartedAt) / 1_000,
  );
  gauge(
    "tapthru_redirect_clock_ahead_seconds",
    "How far this machine's clock is ahead of Postgres's, which decides when links expire",
    () => clock.machineAheadMs / 1_000,
  );
}
