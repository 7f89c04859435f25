import { RedisUnavailableError, type RequestRedis } from "@tapthru/runtime/redis/redis";
import type { Redis } from "ioredis";
import type { DefaultState } from "koa";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { ApiError } from "../errors.ts";

const DURATION_S = 60;

/** Request state that a counter uses. */
export type CountedRequest = Pick<DefaultState, "log" | "redisBudget">;

interface CounterOptions {
  redis: Pick<RequestRedis, "run">;
  keyPrefix: string;
  /** Requests per minute and key. */
  points: number;
  /** Limit of each process while Redis is unavailable. Null disables counting. */
  floor: number | null;
  /** Overrides the default error message. */
  message?: string;
}

/** @returns 0 if within the limit, else the milliseconds until the window ends */
async function countOn(limiter: RateLimiterAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (outcome) {
    if (outcome instanceof RateLimiterRes) return Math.max(1, outcome.msBeforeNext);
    throw outcome;
  }
}

/**
 * Counts requests by key in Redis, shared by all replicas.
 * @returns a function that throws ApiError (too-many-requests) for a request over the limit
 */
export function createRequestCounter(options: CounterOptions) {
  const { redis, keyPrefix, points, floor, message } = options;
  const inProcess =
    floor === null ? null : new RateLimiterMemory({ points: floor, duration: DURATION_S });
  let limiter: RateLimiterRedis | undefined;

  function limiterOf(storeClient: Redis): RateLimiterRedis {
    limiter ??= new RateLimiterRedis({ storeClient, keyPrefix, points, duration: DURATION_S });
    return limiter;
  }

  /** Like `countOn`; null if Redis is unavailable. */
  async function countInRedis(
    key: string,
    { log, redisBudget }: CountedRequest,
  ): Promise<number | null> {
    try {
      return await redis.run((client) => countOn(limiterOf(client), key), redisBudget);
    } catch (err) {
      if (!(err instanceof RedisUnavailableError)) {
        log.error({ event: "rate_limit_unavailable", err }, "failed to count requests in Redis");
      }
      return null;
    }
  }

  return async (key: string, request: CountedRequest): Promise<void> => {
    const waitMs =
      (await countInRedis(key, request)) ?? (inProcess && (await countOn(inProcess, key)));
    if (!waitMs) return;
    throw new ApiError("too-many-requests", {
      ...(message !== undefined && { message }),
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    });
  };
}
