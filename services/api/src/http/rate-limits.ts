import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { dailyKeys } from "@tapthru/runtime/daily-keys";
import { RedisAwayError, type RequestRedis } from "@tapthru/runtime/redis";
import type { Redis } from "ioredis";
import type { Context } from "koa";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { ApiError } from "../errors.ts";

type LimitName = keyof typeof RATE_LIMITS_PER_MINUTE;

/** Both throw ApiError when there were too many requests within a minute. */
export interface RateLimit {
  /** By network address. While Redis is away each process counts by itself, up to the floor. */
  countAddress(ctx: Context): Promise<void>;
  /** By who asks, from wherever; not while Redis is away. */
  countVisitor(ctx: Context, visitor: string): Promise<void>;
}

export type RateLimits = (name: LimitName) => RateLimit;

export interface RateLimitsNeeds {
  redis: Pick<RequestRedis, "run">;
  /** Of the HMAC that stands for an address or a visitor. */
  secret: string;
  addressOf(request: Context["req"]): string;
}

const DURATION_S = 60;

export function createRateLimits({ redis, secret, addressOf }: RateLimitsNeeds): RateLimits {
  const keyOf = dailyKeys(secret);

  /** False when Redis could not say. */
  async function countInRedis(limiter: RedisLimiter, key: string, ctx: Context): Promise<boolean> {
    try {
      await redis.run((client) => limiter(client).consume(key), ctx.state.redisBudget);
      return true;
    } catch (outcome) {
      if (outcome instanceof RateLimiterRes) throw tooMany(outcome);
      if (!(outcome instanceof RedisAwayError)) {
        ctx.state.log.error({ err: outcome }, "Redis does not count requests");
      }
      return false;
    }
  }

  return (name) => {
    const points = RATE_LIMITS_PER_MINUTE[name];
    const byAddress = redisLimiter(`limit:${name}:address`, points.address);
    const byVisitor = redisLimiter(`limit:${name}:visitor`, points.visitor ?? points.address);
    const floor = new RateLimiterMemory({ points: points.floor, duration: DURATION_S });
    return {
      async countAddress(ctx) {
        const key = keyOf(addressOf(ctx.req));
        if (await countInRedis(byAddress, key, ctx)) return;
        await floor.consume(key).catch((outcome) => Promise.reject(tooMany(outcome)));
      },
      async countVisitor(ctx, visitor) {
        await countInRedis(byVisitor, keyOf(visitor), ctx);
      },
    };
  };
}

/** Never in production. */
export const NO_RATE_LIMITS: RateLimits = () => ({
  countAddress: async () => {},
  countVisitor: async () => {},
});

type RedisLimiter = (client: Redis) => RateLimiterRedis;

function redisLimiter(keyPrefix: string, points: number): RedisLimiter {
  let limiter: RateLimiterRedis | undefined;
  return (client) => {
    limiter ??= new RateLimiterRedis({
      storeClient: client,
      keyPrefix,
      points,
      duration: DURATION_S,
    });
    return limiter;
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes): ApiError {
  return new ApiError("too-many-requests", {
    retryAfterSeconds: Math.ceil(msBeforeNext / 1_000),
  });
}
