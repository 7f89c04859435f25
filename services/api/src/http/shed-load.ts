import { type HttpMetrics, UNMATCHED_ROUTE } from "@tapthru/core/platform/http/http-metrics";
import { createKeyedSlots } from "@tapthru/core/platform/slots";
import type { Role } from "@tapthru/proto/call";
import { tooManyRequests, unavailable } from "@tapthru/proto/general-errors";
import type { Context, Middleware } from "koa";
import { sendError } from "./error-replies.ts";
import { ApiError } from "./errors.ts";
import type { RequestLimit } from "./request-limit.ts";

/**
 * Runs `wait`, during which the request does not count as in progress: it waits for its client, for Amazon, for the identity
 * provider or for its turn to hash a password.
 * @param options.mayReject false for a request that cannot be repeated after the wait; it then continues
 * @throws ApiError (unavailable) if too many other requests are in progress after the wait
 */
export type WhileWaiting = <T>(wait: () => Promise<T>, options?: { mayReject: boolean }) => Promise<T>;

declare module "koa" {
  interface DefaultState {
    whileWaiting: WhileWaiting;
    /**
     * Waits until fewer than `count` other requests with the same key are in progress, of one key after the other. The request does
     * not count as in progress while it waits, and keeps its turns until it ends or waits for something else.
     * @throws ApiError (too-many-requests) if too many wait already or for too long
     */
    takeTurns(...turns: Turn[]): Promise<void>;
  }
}

type Turn = [key: string, count: number];

/** Factor of the limit for requests that have waited. Rejecting them wastes the upload or the wait. */
export const LIMIT_FACTOR_AFTER_WAIT = 1.5;
/** Concurrent requests of one address. Users behind one address rarely notice: a request takes some milliseconds. */
const REQUESTS_PER_ADDRESS = 6;
/** Requests of one key that may wait for their turn, and for how long. Of three waits less than the gateway waits for a reply. */
const MAX_WAITING = 50;
const MAX_WAIT_MS = 3_000;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const OVERLOADED = new ApiError(unavailable, { reason: "Too many requests are in progress" });

export interface ShedLoadDependencies {
  httpMetrics: HttpMetrics;
  requestLimit: Pick<RequestLimit, "current">;
  /** Null: one caller may use the whole process. */
  turns: Turns | null;
  addressOf(request: Context["req"]): string;
  /** Counts a rejected request for its address. Throws ApiError if the address has sent too many. */
  countRejected(ctx: Context): Promise<void>;
}

type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
  const refusal = () => new ApiError(tooManyRequests, { retryAfterSeconds: 1 });
  return createKeyedSlots({ ms: MAX_WAIT_MS, maxWaiting: MAX_WAITING, refusal });
}

/**
 * Bounds the requests that are in progress: of each address, each caller that `takeTurns` names, and in total. Requests
 * of one caller wait for each other here, where they hold no connection to Postgres. In total, requests above the limit get
 * 503. A request does not count while its body arrives, while it waits for Amazon or the identity provider, or while its
 * response is sent. Rejections are counted but not logged, to keep them cheap.
 */
export function shedLoad(deps: ShedLoadDependencies): Middleware {
  const { httpMetrics, requestLimit: limit, turns, addressOf, countRejected } = deps;
  const observe = httpMetrics.ofRoute(UNMATCHED_ROUTE, METHODS);
  let inProgress = 0;

  return async (ctx, next) => {
    const startedAt = performance.now();
    const keys: Turn[] = [];
    const freeTurns: (() => void)[] = [];
    let isCounted = false;

    const waitForTurns = async () => {
      for (const [key, count] of keys.slice(freeTurns.length)) {
        if (turns !== null) freeTurns.push(await turns(key, count));
      }
    };
    const count = (max: number) => {
      if (inProgress >= max) throw OVERLOADED;
      inProgress += 1;
      isCounted = true;
    };
    const uncount = () => {
      if (isCounted) inProgress -= 1;
      isCounted = false;
    };
    const release = () => {
      uncount();
      for (const free of freeTurns.splice(0)) free();
    };
    ctx.state.whileWaiting = async (wait, { mayReject } = { mayReject: true }) => {
      release();
      const result = await wait();
      if (mayReject) await waitForTurns();
      count(mayReject ? LIMIT_FACTOR_AFTER_WAIT * limit.current : Number.POSITIVE_INFINITY);
      return result;
    };
    ctx.state.takeTurns = async (...turnsOfCaller) => {
      // It waits for the caller first, without a turn of the address, which may have other callers.
      release();
      keys.unshift(...turnsOfCaller);
      await waitForTurns();
      count(LIMIT_FACTOR_AFTER_WAIT * limit.current);
    };

    try {
      if (!ctx.state.isUnlimited) keys.push([`address:${addressOf(ctx.req)}`, REQUESTS_PER_ADDRESS]);
      try {
        await waitForTurns();
        count(limit.current);
      } catch (error) {
        const reply = await countRejected(ctx).then(
          () => error,
          (exceeded) => exceeded,
        );
        sendError(ctx, reply instanceof ApiError ? reply : OVERLOADED);
        observe(ctx.method, ctx.status, startedAt);
        return;
      }
      await next();
    } finally {
      release();
    }
  };
}

/** Concurrent requests of one caller that change nothing. */
const READS_PER_CALLER = 4;

/**
 * One request of a person may change something at a time, as most lock the same rows: the others would wait for the lock with a
 * connection to Postgres that other callers need. In an account, all who are no owners take turns too, so that an owner waits for one
 * of them at most. What must hold is ensured by the locks, not by these turns, of which each process has its own.
 * @param caller what the guard returned
 */
export async function takeCallersTurn(ctx: Context, caller: unknown): Promise<void> {
  const { userId, personId = userId, role = "owner", visitorKey }: PossibleCaller = Object(caller);
  const isVisitor = Buffer.isBuffer(visitorKey);
  // A caller who is known by the address only.
  if (personId == null && !isVisitor) return;
  const key = personId == null ? `visitor:${(visitorKey as Buffer).toString("hex")}` : `user:${personId}`;
  if (ctx.method === "GET" || ctx.method === "HEAD") return ctx.state.takeTurns([`reads of ${key}`, READS_PER_CALLER]);
  const turns: Turn[] = role === "owner" ? [] : [[`members of ${userId}`, 1]];
  await ctx.state.takeTurns([key, 1], ...turns);
}

interface PossibleCaller {
  userId?: number | null;
  personId?: number | null;
  role?: Role;
  visitorKey?: unknown;
}
