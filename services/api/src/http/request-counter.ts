import { RedisUnavailableError, type RequestRedis } from "@tapthru/runtime/redis/redis";
import type { Redis } from "ioredis";
import type { DefaultState } from "koa";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
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

  function tooMany({ msBeforeNext }: RateLimiterRes): ApiError {
    return new ApiError("too-many-requests", {
      ...(message !== undefined && { message }),
      retryAfterSeconds: Math.ceil(msBeforeNext / 1_000),
    });
  }

  return async (key: string, { log, redisBudget }: CountedRequest): Promise<void> => {
    try {
      await redis.run((client) => limiterOf(client).consume(key), redisBudget);
    } catch (outcome) {
      if (outcome instanceof RateLimiterRes) throw tooMany(outcome);
      if (!(outcome instanceof RedisUnavailableError)) {
        log.error(
          { event: "rate_limit_unavailable", err: outcome },
          "failed to count requests in Redis",
        );
      }
      await inProcess?.consume(key).catch((full) => Promise.reject(tooMany(full)));
    }
  };
}
