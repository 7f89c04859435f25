import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { TokenUntil } from "@tapthru/core/platform/config/values";
import { clientNetwork } from "@tapthru/core/platform/http/network-address";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import type { LimitName } from "@tapthru/proto/call";
import { tooManyRequests } from "@tapthru/proto/general-errors";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import type { Context, Middleware } from "koa";
import proxyAddr from "proxy-addr";
import { ApiError } from "./errors.ts";
import { createRequestCounter, type RequestCount, WINDOW_S } from "./request-counter.ts";

/**
 * Methods that count throw ApiError if there were too many requests within a minute, and add the limit to the reply's
 * `RateLimit` fields.
 */
export interface RateLimit {
  /**
   * Counts by network address, or by the network of it that is given. While Redis is unavailable each process counts on its own, up
   * to `floor`.
   */
  countAddress(ctx: Context, network?: string): Promise<void>;
  /** Counts what is done to an account from all addresses, with the limit of one address. */
  countAccount(ctx: Context, account: string): Promise<void>;
  /** Counts by visitor, across all addresses. Does not count while Redis is unavailable. */
  countVisitor(ctx: Context, visitor: string): Promise<void>;
}

export type RateLimits = (name: LimitName) => RateLimit;

export interface RateLimitsDependencies {
  redis: Pick<RequestRedis, "run">;
  dailyPseudonym(visitor: string): string;
  addressOf(request: Context["req"]): string;
}

export function createRateLimits({ redis, dailyPseudonym, addressOf }: RateLimitsDependencies): RateLimits {
  const limits = new Map<LimitName, RateLimit>();
  return (name) => {
    const limit = limits.get(name) ?? create(name);
    limits.set(name, limit);
    return limit;
  };

  function create(name: LimitName): RateLimit {
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
      countAddress: async (ctx, network = addressOf(ctx.req)) =>
        accept(ctx, `${name}-address`, await byAddress(dailyPseudonym(network), ctx.state)),
      countAccount: async (ctx, account) =>
        accept(ctx, `${name}-account`, await byAddress(dailyPseudonym(`account ${account}`), ctx.state)),
      countVisitor: async (ctx, visitor) =>
        accept(ctx, `${name}-caller`, await byVisitor(dailyPseudonym(visitor), ctx.state)),
    };
  }
}

/** @param count null if the request could not be counted */
function accept(ctx: Context, policy: string, count: RequestCount | null): void {
  if (count === null) return;
  addLimitToReply(ctx, policy, count);
  if (count.isExceeded) {
    throw new ApiError(tooManyRequests, { retryAfterSeconds: count.resetSeconds });
  }
}

/** For development and tests only. */
export const NO_RATE_LIMITS: RateLimits = () => ({
  countAddress: async () => {},
  countAccount: async () => {},
  countVisitor: async () => {},
});

/**
 * Adds a limit to the fields `RateLimit-Policy` and `RateLimit` of the reply, as in
 * draft-ietf-httpapi-ratelimit-headers-10. Both are lists of structured fields (RFC 9651).
 * @param policy letters and hyphens only
 */
function addLimitToReply(ctx: Context, policy: string, count: RequestCount): void {
  const { quota, remaining, resetSeconds } = count;
  addMember(ctx, "RateLimit-Policy", `"${policy}";q=${quota};w=${WINDOW_S}`);
  addMember(ctx, "RateLimit", `"${policy}";r=${remaining};t=${resetSeconds}`);
}

function addMember(ctx: Context, field: string, member: string): void {
  const earlier = ctx.res.getHeader(field);
  ctx.set(field, earlier === undefined ? member : `${earlier}, ${member}`);
}

export function clientAddress(trustedProxies: readonly string[]) {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request: IncomingMessage): string => clientNetwork(proxyAddr(request, trust));
}

declare module "koa" {
  interface DefaultState {
    /** The request belongs to a load test of the operator: it counts for no limit. */
    isUnlimited: boolean;
  }
}

export function recognizeLoadTest(accepted: TokenUntil | null): Middleware {
  const isAccepted = (token: string) =>
    accepted !== null && Date.now() < accepted.untilMs && timingSafeEqual(sha256(token), sha256(accepted.token));
  return (ctx, next) => {
    const token = ctx.get("rate-limit-token");
    ctx.state.isUnlimited = token !== "" && isAccepted(token);
    return next();
  };
}

/** Digests have the same length, so that the comparison takes the same time for every token. */
function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
