import { CODE_LOOKUPS_MAX_PER_SECOND, RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import type { Postgres } from "@tapthru/runtime/postgres/postgres";
import type { RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import { TokenBucket } from "limiter";
import { AddressLimiter } from "./address-limit.ts";
import { createChangePush } from "./change-push.ts";
import { changesQuery } from "./change-queries.ts";
import { ChangeTail } from "./change-tail.ts";
import { Clock } from "./clock.ts";
import { LinkCache } from "./link-cache.ts";
import { applyChange, type Change, createUnknownCodes, type Memory } from "./memory.ts";
import { findRedirectRecord } from "./queries.ts";
import { readPostgres } from "./read-postgres.ts";
import { createRedisReads } from "./read-redis.ts";
import { createResolver, type Resolver } from "./resolver.ts";
import { RevisionFloors } from "./revision-floors.ts";

// Together well below 100 MB.
const CACHED_LINKS = { maxEntries: 20_000, maxBytes: 16 * 1_048_576 };
const FLOORS_MAX = 100_000;
const UNKNOWN_CODES_MAX = 10_000;
const ADDRESSES_MAX = 20_000;

const LOOKUPS_BURST = 100;

interface Needs {
  postgres: Postgres;
  redirectStore: RedirectStore;
  /** Where changes are announced. */
  redisUrl: string;
  lookupDeadlineMs: number;
  changesDeadlineMs: number;
  limitsUnknownCodes: boolean;
  logger: Logger;
}

export interface ResolverStack {
  resolver: Resolver;
  clock: Clock;
  memory: Memory;
  tail: ChangeTail;
  /** To be started after the clients. */
  parts: Component[];
}

/** Puts together what a replica resolves short codes with. */
export function createResolverStack(needs: Needs): ResolverStack {
  const { postgres, redirectStore, redisUrl, logger } = needs;
  const memory: Memory = {
    links: new LinkCache(CACHED_LINKS),
    floors: new RevisionFloors(FLOORS_MAX),
    unknownCodes: createUnknownCodes(UNKNOWN_CODES_MAX),
  };
  const clock = new Clock();
  const learn = (change: Change) => applyChange(memory, change);
  const tail = new ChangeTail({
    findChanges: (wanted) => postgres.reserved.one(changesQuery(wanted)),
    pageDeadlineMs: needs.changesDeadlineMs,
    learn,
    timeSinceRedisUpToDate: () => redirectStore.timeSinceUpToDate(),
    clock,
    logger,
  });
  const push = createChangePush({ redisUrl, learn, onSubscribed: () => void tail.next() });

  const redisReads = createRedisReads({ redirectStore, memory, logger });
  const postgresNeeds = {
    findRedirectRecord: (shortCode: string) => findRedirectRecord(postgres, shortCode),
    redirectStore,
    memory,
    tail,
    deadlineMs: needs.lookupDeadlineMs,
    logger,
  };
  const resolver = createResolver({
    memory,
    tail,
    readRedis: (shortCode) => redisReads.load(shortCode),
    readPostgres: (shortCode) => readPostgres(postgresNeeds, shortCode),
    unknownCodeLimit: needs.limitsUnknownCodes
      ? new AddressLimiter({
          perMinute: RATE_LIMITS_PER_MINUTE.unknownCode.address,
          maxAddresses: ADDRESSES_MAX,
        })
      : null,
    lookupRate: createLookupRate(),
  });
  return { resolver, clock, memory, tail, parts: [tail, push] };
}

/** Lets a burst through at once, and never more than the maximum within a second. */
function createLookupRate(): TokenBucket {
  const rate = new TokenBucket({
    bucketSize: LOOKUPS_BURST,
    tokensPerInterval: CODE_LOOKUPS_MAX_PER_SECOND - LOOKUPS_BURST,
    interval: "second",
  });
  // It starts empty otherwise.
  rate.content = LOOKUPS_BURST;
  return rate;
}
