import type { RedisOptions } from "ioredis";
import { createDependencyState } from "../dependency-state.ts";
import type { Component } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { DurationHistogram } from "../metrics/durations.ts";
import { RedisBudget } from "./budget.ts";
import { createRedisClient, openConnections, ping, type RedisClient } from "./client.ts";
import { isRedisUnavailable, RedisUnavailableError } from "./errors.ts";
import { createOutageReporter } from "./outage-reason.ts";

export { RedisUnavailableError };

/** Late replies in a row after which Redis counts as unavailable. */
const MAX_LATE_REPLIES = 5;
/** Detects a dead idle connection before it is needed. */
const HEARTBEAT_MS = 500;

const CONNECTION = {
  connectTimeout: 1_000,
  retryStrategy: () => 500,
  // An unresponsive server does not close its end.
  disconnectTimeout: 100,
} satisfies RedisOptions;

export interface RequestRedisOptions {
  url: string;
  name: string;
  budgetMs: number;
  logger: Logger;
}

export interface RequestRedis extends Component {
  /**
   * Runs a request's work on Redis. Work with the same budget shares its deadline; without one it has its own.
   * @throws {RedisUnavailableError} if Redis is unavailable, at once while that is known, or too slow. Commands that were
   * sent may have been, or may still be, executed.
   */
  run<T>(work: (redis: RedisClient) => Promise<T>, budget?: RedisBudget): Promise<T>;
  newBudget(): RedisBudget;
  readonly role: string;
  readonly durations: DurationHistogram;
  /** Number of connections so far. Redis may have lost its last writes before a new one. */
  readonly connections: number;
  readonly isCluster: boolean;
  readonly isAvailable: boolean;
}

/**
 * Redis for requests: never waits beyond the budget. Five late replies in a row drop the connection; then work is refused
 * at once until a new connection has replied within the budget, so that no request waits for the check. In a cluster they
 * drop the connections to the masters that do not reply to a ping within the budget.
 */
export function createRequestRedis(options: RequestRedisOptions): RequestRedis {
  const { url, name, budgetMs, logger } = options;
  const dependency = `redis ${name}`;
  const state = createDependencyState(logger, dependency);
  const durations = new DurationHistogram();
  const succeeded = durations.add({ redis: name, outcome: "ok" });
  const failed = durations.add({ redis: name, outcome: "failed" });
  const firstOutcome = Promise.withResolvers<void>();
  /** Error of the current outage; null while connected. */
  let lastError: unknown = null;
  let isAvailable = false;
  let isStopping = false;
  let lateReplies = 0;
  let connections = 0;
  let heartbeat: NodeJS.Timeout | undefined;

  const redis = createRedisClient(url, {
    ...CONNECTION,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Limits the handshake, and commands that no request waits for any more. Longer than the budget, which counts late replies.
    commandTimeout: budgetMs + 1_000,
  });
  redis.on("error", (error) => {
    lastError = error;
  });
  redis.on("ready", () => {
    lastError = null;
    connections++;
    void probe();
  });
  redis.on("-node", () => void connections++);
  redis.on("close", () => setUnavailable(lastError ?? closedConnection(name)));

  const report = createOutageReporter(url, (err) => {
    if (!isAvailable && !isStopping) state.unavailable(err);
  });

  function setUnavailable(err: unknown): void {
    isAvailable = false;
    if (!state.isUnavailable) report(err);
    firstOutcome.resolve();
  }

  function dropConnection(err: unknown): void {
    setUnavailable(err);
    // In other states ioredis is closing or connecting, and a disconnect would stop it permanently.
    if (redis.status === "ready") redis.disconnect(true);
  }

  async function probe(): Promise<void> {
    try {
      await openConnections(redis);
      await newBudget().spend(ping(redis), late);
    } catch (error) {
      return dropConnection(error);
    }
    lateReplies = 0;
    isAvailable = true;
    state.available();
    firstOutcome.resolve();
  }

  /** One master of a cluster that does not respond must not make the others unavailable. */
  function replaceLateConnections(error: unknown): void {
    if (redis.isCluster) {
      lateReplies = 0;
      ping(redis, budgetMs).catch(dropConnection);
    } else dropConnection(error);
  }

  function late(): Error {
    return new RedisUnavailableError(name, "responds too late");
  }

  function newBudget(): RedisBudget {
    return new RedisBudget(budgetMs);
  }

  async function run<T>(work: (redis: RedisClient) => Promise<T>, budget: RedisBudget = newBudget()): Promise<T> {
    if (!isAvailable) throw new RedisUnavailableError(name, "is unavailable");
    if (budget.isSpent) throw late();
    const since = performance.now();
    try {
      const result = await budget.spend(work(redis), late);
      succeeded.observeSince(since);
      lateReplies = 0;
      return result;
    } catch (error) {
      failed.observeSince(since);
      if (error instanceof RedisUnavailableError && isAvailable && ++lateReplies >= MAX_LATE_REPLIES)
        replaceLateConnections(error);
      throw isRedisUnavailable(error) ? new RedisUnavailableError(name, "is unavailable", { cause: error }) : error;
    }
  }

  return {
    name: dependency,
    role: name,
    durations,
    run,
    newBudget,
    isCluster: redis.isCluster,
    get connections() {
      return connections;
    },
    get isAvailable() {
      return isAvailable;
    },
    async start() {
      redis.connect().catch(() => {});
      heartbeat = setInterval(() => run(ping).catch(() => {}), HEARTBEAT_MS);
      await firstOutcome.promise;
    },
    async stop() {
      isStopping = true;
      isAvailable = false;
      clearInterval(heartbeat);
      redis.disconnect();
    },
  };
}

/**
 * Redis for workers: commands wait without a limit. A connection without replies for longer than BullMQ's blocking
 * commands take (10 s) is replaced by a new one, which receives the pending commands again.
 */
export function createWorkerRedis({ url, logger }: { url: string; logger: Logger }): RedisClient {
  const state = createDependencyState(logger, "redis queue");
  let lastError: unknown = null;
  const redis = createRedisClient(url, {
    ...CONNECTION,
    maxRetriesPerRequest: null,
    socketTimeout: 15_000,
  });
  const report = createOutageReporter(url, (err) => {
    if (redis.status !== "ready") state.unavailable(err);
  });
  function setUnavailable(err: unknown): void {
    if (!state.isUnavailable) report(err);
  }
  redis.on("error", (error) => {
    lastError = error;
  });
  redis.on("ready", () => {
    lastError = null;
    state.available();
  });
  redis.on("reconnecting", () => setUnavailable(lastError ?? closedConnection("queue")));
  return redis;
}

/** A server that shuts down closes its connections without an error. */
function closedConnection(name: string): RedisUnavailableError {
  return new RedisUnavailableError(name, "closed the connection");
}
