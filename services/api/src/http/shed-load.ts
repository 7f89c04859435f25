import { setTimeout as delay } from "node:timers/promises";
import { type HttpMetrics, UNMATCHED_ROUTE } from "@tapthru/core/platform/http/http-metrics";
import type { Role } from "@tapthru/proto/call";
import { tooManyRequests, unavailable } from "@tapthru/proto/general-errors";
import type { Context, Middleware } from "koa";
import { sendError } from "./error-replies.ts";
import { ApiError } from "./errors.ts";

/**
 * Runs `wait`, during which the request does not count as in progress: it waits for its client, for Amazon, for the identity
 * provider or for its turn to hash a password.
 * @param options.mayReject false for a request that cannot be repeated after the wait; it then continues
 * @throws ApiError (unavailable or too-many-requests) if too many other requests are in progress after the wait
 */
export type ReleaseSlotDuring = <T>(wait: () => Promise<T>, options?: { mayReject: boolean }) => Promise<T>;

declare module "koa" {
  interface DefaultState {
    releaseSlotDuring: ReleaseSlotDuring;
    /** From now on the request also counts for these callers. @throws ApiError as `releaseSlotDuring`, or too-many-requests */
    countCallers(...callers: string[]): Promise<void>;
    /** The same for work of which one at a time is in progress. */
    countAlone(work: string): Promise<void>;
  }
}

/** Factor of the total for requests that have waited. Rejecting them wastes the upload or the wait. */
export const LIMIT_FACTOR_AFTER_WAIT = 1.5;
/** Less than the connections to Postgres: one account cannot take them all while its requests wait for a lock. */
export const REQUESTS_PER_CALLER = 3;
/** Many users may share an address. */
const REQUESTS_PER_ADDRESS = 12;
/** A page sends more requests at once than a caller may have in progress: these retry, in no order. */
const RETRY_MS = 50;
/** The wait also keeps a caller who repeats refused requests without a pause from using the processor up. */
const MAX_WAIT_MS = 3_000;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export interface ShedLoadDependencies {
  httpMetrics: HttpMetrics;
  requestLimit: { readonly current: number };
  /** False: one caller may use the whole process. */
  hasLimits: boolean;
  addressOf(request: Context["req"]): string;
  /** The session or the key of a request, which may be invalid; null if it has none. */
  credentialOf(ctx: Context): string | null;
}

const ALL = "all";

type Limit = readonly [key: string, max: number];

/**
 * Bounds the requests that are in progress: of each address, session, key and account, and in total. Others get 429 if none of
 * their caller's ends within three seconds, and above the total 503 at once. A request does not count while its body arrives,
 * while it waits for Amazon or the identity provider, or while its response is sent. Rejections are not logged, to keep them
 * cheap.
 */
export function shedLoad(deps: ShedLoadDependencies): Middleware {
  const { httpMetrics, requestLimit, hasLimits, addressOf, credentialOf } = deps;
  const observe = httpMetrics.ofRoute(UNMATCHED_ROUTE, METHODS);
  const counts = new Map<string, number>();

  function limitsOf(ctx: Context): Limit[] {
    const limits: Limit[] = [[ALL, requestLimit.current]];
    if (!hasLimits) return limits;
    if (!ctx.state.isUnlimited) limits.unshift([`address ${addressOf(ctx.req)}`, REQUESTS_PER_ADDRESS]);
    const credential = credentialOf(ctx);
    if (credential !== null) limits.unshift([`credential ${credential}`, REQUESTS_PER_CALLER]);
    return limits;
  }

  function add(limits: readonly Limit[], number: 1 | -1): void {
    for (const [key] of limits) {
      const count = (counts.get(key) ?? 0) + number;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    }
  }

  /** @param factor of the total */
  async function enter(limits: readonly Limit[], factor: number): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
      const reached = limits.find(([key, max]) => (counts.get(key) ?? 0) >= (key === ALL ? factor * max : max));
      if (reached === undefined) return add(limits, 1);
      if (reached[0] === ALL) throw new ApiError(unavailable, { reason: "Too many requests are in progress" });
      if (waitedMs >= MAX_WAIT_MS) throw new ApiError(tooManyRequests, { retryAfterSeconds: 1 });
      await delay(RETRY_MS);
    }
  }

  return async (ctx, next) => {
    const startedAt = performance.now();
    const limits = limitsOf(ctx);
    let isCounted = false;
    const uncount = () => {
      if (isCounted) add(limits, -1);
      isCounted = false;
    };
    const count = async (factor = LIMIT_FACTOR_AFTER_WAIT) => {
      await enter(limits, factor);
      // Another wait of the request may have ended meanwhile.
      uncount();
      isCounted = true;
    };
    ctx.state.releaseSlotDuring = async (wait, { mayReject } = { mayReject: true }) => {
      uncount();
      const result = await wait();
      if (mayReject) {
        await count();
      } else if (!isCounted) {
        add(limits, 1);
        isCounted = true;
      }
      return result;
    };
    const countAs = async (more: readonly Limit[]) => {
      if (!hasLimits) return;
      uncount();
      limits.unshift(...more);
      await count();
    };
    ctx.state.countCallers = (...callers) =>
      countAs(callers.map((caller) => [`caller ${caller}`, REQUESTS_PER_CALLER]));
    ctx.state.countAlone = (work) => countAs([[work, 1]]);
    try {
      const refusal = await count(1).then(
        () => null,
        (error: ApiError) => error,
      );
      if (refusal === null) return await next();
      sendError(ctx, refusal);
      observe(ctx.method, ctx.status, startedAt);
    } finally {
      uncount();
    }
  };
}

/**
 * Counts a request for the person who sends it. In an account, all who are no owners count together too, so that they leave
 * requests to the owner.
 * @param caller what the guard returned
 */
export async function countCaller(ctx: Context, caller: unknown): Promise<void> {
  const { userId, personId = userId, role = "owner", visitorKey }: PossibleCaller = Object(caller);
  const members = role === "owner" ? [] : [`members of ${userId}`];
  if (personId != null) await ctx.state.countCallers(`user ${personId}`, ...members);
  else if (Buffer.isBuffer(visitorKey)) await ctx.state.countCallers(`visitor ${visitorKey.toString("hex")}`);
}

interface PossibleCaller {
  userId?: number | null;
  personId?: number | null;
  role?: Role;
  visitorKey?: unknown;
}
