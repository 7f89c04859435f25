import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import type { Context } from "koa";
import { createRequestCounter } from "./request-counter.ts";

type LimitName = keyof typeof RATE_LIMITS_PER_MINUTE;

/** Both methods throw ApiError if there were too many requests within a minute. */
export interface RateLimit {
  /** Counts by network address. While Redis is unavailable each process counts on its own, up to `floor`. */
  countAddress(ctx: Context): Promise<void>;
  /** Counts by visitor, across all addresses. Does not count while Redis is unavailable. */
  countVisitor(ctx: Context, visitor: string): Promise<void>;
}

export type RateLimits = (name: LimitName) => RateLimit;

export interface RateLimitsDependencies {
  redis: Pick<RequestRedis, "run">;
  /** Pseudonymous key of an address or a visitor. */
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

/** For development and tests only. */
export const NO_RATE_LIMITS: RateLimits = () => ({
  countAddress: async () => {},
  countVisitor: async () => {},
});
