import { Redis, type RedisOptions } from "ioredis";
import { createDependencyState } from "../dependency-state.ts";
import type { Component } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { Durations } from "../metrics/durations.ts";
import { inChildSpan } from "../tracing/tracing.ts";
import { RedisBudget } from "./budget.ts";
import { isRedisUnavailable, RedisUnavailableError } from "./errors.ts";

export { RedisUnavailableError as RedisAwayError };

/** As often in a row an answer may come too late before Redis counts as away. */
const MISSES_ALLOWED = 5;
/** So that a connection nobody uses is known to be dead before somebody needs it. */
const HEARTBEAT_MS = 500;

const CONNECTION = {
  connectTimeout: 1_000,
  retryStrategy: () => 500,
  // A hung server does not close its end.
  disconnectTimeout: 100,
} satisfies RedisOptions;

export interface RequestRedisOptions {
  url: string;
  /** Its role, for logs and errors: cache, queue, session. */
  name: string;
  /** The time one request may wait for it. */
  budgetMs: number;
  logger: Logger;
}

export interface RequestRedis extends Component {
  /**
   * Runs a request's work on Redis. Work that shares a budget shares one deadline; without a budget
   * it gets one of its own.
   * @throws {RedisUnavailableError} when Redis is away, at once while that is known, or too slow. Then the
   * commands sent may still have been, or yet be, carried out.
   */
  run<T>(work: (redis: Redis) => Promise<T>, budget?: RedisBudget): Promise<T>;
  newBudget(): RedisBudget;
  /** As in the options. */
  readonly role: string;
  readonly durations: Durations;
  readonly wasReached: boolean;
  /** Whether work is tried at all just now. */
  readonly isAnswering: boolean;
}

/**
 * Redis for requests: never waited for beyond the budget. Five late answers in a row drop the
 * connection; then work is refused at once until a new connection has answered within the budget, so
 * that no request pays for finding out.
 */
export function createRequestRedis(options: RequestRedisOptions): RequestRedis {
  const { url, name, budgetMs, logger } = options;
  const dependency = `redis ${name}`;
  const state = createDependencyState(logger, dependency);
  const durations = new Durations();
  const answered = durations.add({ redis: name, outcome: "ok" });
  const failed = durations.add({ redis: name, outcome: "failed" });
  const firstOutcome = Promise.withResolvers<void>();
  /** Of the present outage; null while connected. */
  let lastError: unknown = null;
  let isAnswering = false;
  let isStopping = false;
  let misses = 0;
  let heartbeat: NodeJS.Timeout | undefined;

  const redis = new Redis(url, {
    ...CONNECTION,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Bounds the handshake, and commands whose request has gone on without them.
    commandTimeout: Math.max(1_000, budgetMs),
  });
  redis.on("error", (error) => {
    lastError = error;
  });
  redis.on("ready", () => {
    lastError = null;
    void probe();
  });
  redis.on("close", () => setAway(lastError ?? closedConnection(name)));

  function setAway(err: unknown): void {
    isAnswering = false;
    if (!isStopping) state.away(err);
    firstOutcome.resolve();
  }

  function drop(err: unknown): void {
    setAway(err);
    // In any other state ioredis is closing or connecting already, and would be stopped for good.
    if (redis.status === "ready") redis.disconnect(true);
  }

  async function probe(): Promise<void> {
    try {
      await newBudget().spend(redis.ping(), late);
    } catch (error) {
      return drop(error);
    }
    misses = 0;
    isAnswering = true;
    state.answered();
    firstOutcome.resolve();
  }

  function late(): Error {
    return new RedisUnavailableError(name, "answers too late");
  }

  function newBudget(): RedisBudget {
    return new RedisBudget(budgetMs);
  }

  async function run<T>(
    work: (redis: Redis) => Promise<T>,
    budget: RedisBudget = newBudget(),
  ): Promise<T> {
    if (!isAnswering) throw new RedisUnavailableError(name, "is away");
    if (budget.isSpent) throw late();
    const since = performance.now();
    try {
      const result = await inChildSpan(dependency, () => budget.spend(work(redis), late));
      answered.observeSince(since);
      misses = 0;
      return result;
    } catch (error) {
      failed.observeSince(since);
      if (error instanceof RedisUnavailableError && isAnswering && ++misses >= MISSES_ALLOWED)
        drop(error);
      throw isRedisUnavailable(error)
        ? new RedisUnavailableError(name, "is away", { cause: error })
        : error;
    }
  }

  return {
    name: dependency,
    role: name,
    durations,
    run,
    newBudget,
    get wasReached() {
      return state.wasReached;
    },
    get isAnswering() {
      return isAnswering;
    },
    async start() {
      redis.connect().catch(() => {});
      heartbeat = setInterval(() => run((client) => client.ping()).catch(() => {}), HEARTBEAT_MS);
      await firstOutcome.promise;
    },
    async stop() {
      isStopping = true;
      isAnswering = false;
      clearInterval(heartbeat);
      redis.disconnect();
    },
  };
}

/**
 * Redis for workers: commands wait for it as long as it takes. A connection that has been silent with
 * commands under way, for longer than BullMQ lets one block (10 s), is given up for a new one, which
 * gets them again.
 */
export function createWorkerRedis({ url, logger }: { url: string; logger: Logger }): Redis {
  const state = createDependencyState(logger, "redis queue");
  let lastError: unknown = null;
  const redis = new Redis(url, {
    ...CONNECTION,
    maxRetriesPerRequest: null,
    socketTimeout: 15_000,
  });
  redis.on("error", (error) => {
    lastError = error;
  });
  redis.on("ready", () => {
    lastError = null;
    state.answered();
  });
  redis.on("reconnecting", () => state.away(lastError ?? closedConnection("queue")));
  return redis;
}

/** A server that stops closes its connections without an error. */
function closedConnection(name: string): RedisUnavailableError {
  return new RedisUnavailableError(name, "closed the connection");
}
