import type { RedisClient } from "@tapthru/core/platform/redis/client";
import { RedisUnavailableError, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import type { DefaultState } from "koa";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

export const WINDOW_S = 60;

export type CountedRequest = Pick<DefaultState, "log" | "redisBudget" | "isUnlimited">;

interface CounterOptions {
  redis: Pick<RequestRedis, "run">;
  keyPrefix: string;
  points: number;
  /** Limit of each process while Redis is unavailable. Null disables counting. */
  floor: number | null;
}

export interface RequestCount {
  isExceeded: boolean;
  quota: number;
  remaining: number;
  /** Until the window ends, at least 1. */
  resetSeconds: number;
}

async function countOn(limiter: RateLimiterAbstract, key: string): Promise<RequestCount> {
  const countOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isExceeded: boolean) => ({
    isExceeded,
    quota: limiter.points,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  });
  try {
    return countOf(await limiter.consume(key), false);
  } catch (outcome) {
    if (outcome instanceof RateLimiterRes) return countOf(outcome, true);
    throw outcome;
  }
}

/** @returns a function; its result is null if the request has no limit, or Redis is unavailable and there is no `floor` */
export function createRequestCounter(options: CounterOptions) {
  const { redis, keyPrefix, points, floor } = options;
  const duration = WINDOW_S;
  const inProcess = floor === null ? null : new RateLimiterMemory({ points: floor, duration });
  let limiter: RateLimiterRedis | undefined;

  function limiterOf(storeClient: RedisClient): RateLimiterRedis {
    limiter ??= new RateLimiterRedis({ storeClient, keyPrefix, points, duration });
    return limiter;
  }

  /** Like `countOn`; null if Redis is unavailable. */
  async function countInRedis(key: string, { log, redisBudget }: CountedRequest): Promise<RequestCount | null> {
    try {
      return await redis.run((client) => countOn(limiterOf(client), key), redisBudget);
    } catch (err) {
      if (!(err instanceof RedisUnavailableError)) {
        log.error({ event: "rate_limit_unavailable", err }, "failed to count requests in Redis");
      }
      return null;
    }
  }

  return async (key: string, request: CountedRequest): Promise<RequestCount | null> => {
    if (request.isUnlimited) return null;
    const count = await countInRedis(key, request);
    return count === null && inProcess !== null ? countOn(inProcess, key) : count;
  };
}
