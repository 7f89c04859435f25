import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import type { Context } from "koa";
import { createRequestCounter } from "./request-counter.ts";

type LimitName = keyof typeof RATE_LIMITS_PER_MINUTE;

/** Both throw ApiError when there were too many requests within a minute. */
export interface RateLimit {
  /** By network address. While Redis is away each process counts by itself, up to the floor. */
  countAddress(ctx: Context): Promise<void>;
  /** By who asks, from wherever; not while Redis is away. */
  countVisitor(ctx: Context, visitor: string): Promise<void>;
}

export type RateLimits = (name: LimitName) => RateLimit;

export interface RateLimitsDependencies {
  redis: Pick<RequestRedis, "run">;
  /** The key that stands for an address or a visitor. */
  keyOf(visitor: string): string;
  addressOf(request: Context["req"]): string;
}

export function createRateLimits({ redis, keyOf, addressOf }: RateLimitsDependencies): RateLimits {
  return (name) => {
    const { address, visitor, floor } = RATE_LIMITS_PER_MINUTE[name];
    const byAddress = createRequestCounter({
      redis,
      keyPrefix: `limit:${name}:address`,
      points: address,
      floor,
    });
    const byVisitor = createRequestCounter({
      redis,
      keyPrefix: `limit:${name}:visitor`,
      points: visitor ?? address,
      floor: null,
    });
    return {
      countAddress: (ctx) => byAddress(keyOf(addressOf(ctx.req)), ctx.state),
      countVisitor: (ctx, visitor) => byVisitor(keyOf(visitor), ctx.state),
    };
  };
}

/** Never in production. */
export const NO_RATE_LIMITS: RateLimits = () => ({
  countAddress: async () => {},
  countVisitor: async () => {},
});
