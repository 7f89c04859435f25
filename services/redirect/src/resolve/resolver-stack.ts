import { changesQuery } from "@tapthru/core/outbox";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Postgres } from "@tapthru/core/platform/postgres/postgres";
import type { RedirectStore } from "@tapthru/core/platform/redis/redirect-store";
import { CODE_LOOKUPS_MAX_PER_SECOND, RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { TokenBucket } from "limiter";
import { AddressLimiter } from "../address-limit.ts";
import { LinkCache } from "./cache/link-cache.ts";
import { applyChange, type Change, createUnknownCodes, type Memory } from "./cache/memory.ts";
import { createChangeSubscriber } from "./changes/change-subscriber.ts";
import { ChangeTail } from "./changes/change-tail.ts";
import { Clock } from "./clock.ts";
import { findRedirectRecord } from "./queries.ts";
import { readPostgres } from "./read-postgres.ts";
import { createRedisLoader } from "./read-redis.ts";
import { createResolver, type Resolver } from "./resolver.ts";
import { RevisionFloor } from "./revision-floor.ts";

// Together they use less than 30 MB.
const REVISION_FLOOR_MAX_CODES = 100_000;
const MAX_UNKNOWN_CODES = 10_000;
const MAX_ADDRESSES = 20_000;

const LOOKUP_BURST = 100;

interface Dependencies {
  postgres: Postgres;
  redirectStore: RedirectStore;
  /** The Redis that publishes changes. */
  redisUrl: string;
  linkCacheBytes: number;
  lookupDeadlineMs: number;
  changesDeadlineMs: number;
  hasRateLimits: boolean;
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

/** Creates everything a replica needs to resolve short codes. */
export function createResolverStack(deps: Dependencies): ResolverStack {
  const { postgres, redirectStore, redisUrl, logger } = deps;
  const memory: Memory = {
    links: new LinkCache(deps.linkCacheBytes),
    revisionFloor: new RevisionFloor(REVISION_FLOOR_MAX_CODES),
    unknownCodes: createUnknownCodes(MAX_UNKNOWN_CODES),
  };
  const clock = new Clock();
  const onChange = (change: Change) => applyChange(memory, change);
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
  const postgresDeps = {
    findRedirectRecord: (shortCode: string) => findRedirectRecord({ db: postgres, logger }, shortCode),
    redirectStore,
    memory,
    tail,
    deadlineMs: deps.lookupDeadlineMs,
    logger,
  };
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
    lookupRate: createLookupRate(),
  });
  return { resolver, clock, memory, tail, components: [tail, subscriber] };
}

/** Allows a burst, and never more than the maximum within one second. */
function createLookupRate(): TokenBucket {
  const rate = new TokenBucket({
    bucketSize: LOOKUP_BURST,
    tokensPerInterval: CODE_LOOKUPS_MAX_PER_SECOND - LOOKUP_BURST,
    interval: "second",
  });
  // The bucket starts empty by default.
  rate.content = LOOKUP_BURST;
  return rate;
}
