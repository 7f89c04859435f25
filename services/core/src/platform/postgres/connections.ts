import { createPgDriverFactory } from "@slonik/pg-driver";
import PQueue from "p-queue";
import type { Histogram } from "prom-client";
import {
  createPool,
  type DatabasePool,
  type DatabasePoolConnection,
  type DriverFactory,
  parseDsn,
  stringifyDsn,
} from "slonik";
import type { Logger } from "../logger.ts";
import { waitForSlot } from "../slots.ts";
import { withDeadline } from "../waiting.ts";
import { PostgresBusyError, PostgresTimeoutError, PostgresUnavailableError } from "./errors.ts";
import { parseRows, removeStatementName, TYPE_PARSERS } from "./interceptors.ts";
import { measureStatements } from "./statement-callers.ts";

export interface PostgresOptions {
  url: string;
  applicationName: string;
  maxConnections: number;
  /** Connections for `reserved` work only, which never waits for other work. */
  reservedConnections?: number;
  /** Connections opened at startup and after an outage, and kept, for work that has no time to wait for a new one. */
  openConnections?: number;
  /** Timeout of one statement, enforced by the server. */
  statementTimeoutMs: number;
  /** How long work may wait for a free or new connection. */
  acquireTimeoutMs: number;
  /** Of statements that have a name. `off` if a pooler runs each transaction on another connection; by default `on`. */
  preparedStatements?: "on" | "off";
  logger: Logger;
}

export interface PostgresUsage {
  active: number;
  idle: number;
  max: number;
  /** Work waiting for a connection. */
  waiting: number;
}

export interface Lease {
  connection: DatabasePoolConnection;
  release(): void;
  /** Closes a connection that is broken or still busy, so that it is replaced. */
  discard(): void;
}

export type ConnectionQueue = "general" | "reserved";

export interface PostgresConnections {
  /** Throws PostgresBusyError, or slonik's error if no connection can be opened. */
  acquire(queue: ConnectionQueue): Promise<Lease>;
  use(): PostgresUsage;
  /**
   * The shortest time for which general work waited for a connection since the last call, in milliseconds. Refused work
   * counts as if it had waited for as long as it may. 0 if no work needed a connection, null if all still waits for one.
   */
  takeShortestWait(): number | null;
  end(): Promise<void>;
}

/** Pause after a connection could not be opened, as an attempt costs more than a query. */
const OPENING_PAUSE_MS = 200;

/** An unresponsive server does not enforce its timeout: the connection is discarded this much later. */
const HANG_GRACE_MS = 500;
/** Waiting work per connection above which more work is refused at once. */
const WAITING_PER_CONNECTION = 50;

/**
 * slonik's pool behind a queue: slonik's own queue is unbounded, its entries cannot be cancelled, and it loses them
 * after an outage.
 */
export function createPostgresConnections(
  options: PostgresOptions,
  statementDurations: Histogram<"statement">,
): PostgresConnections {
  const { acquireTimeoutMs, maxConnections, reservedConnections = 0, logger } = options;
  const general = new PQueue({ concurrency: maxConnections - reservedConnections });
  const queues: Record<ConnectionQueue, PQueue> = {
    general,
    reserved: reservedConnections === 0 ? general : new PQueue({ concurrency: reservedConnections }),
  };
  let pool: DatabasePool | null = null;
  let opening: Promise<DatabasePool> | null = null;
  let shortestWaitMs: number | null = null;
  let failure: { error: unknown; at: number } | null = null;

  // slonik queries the server's types when it creates a pool.
  function open(): Promise<DatabasePool> {
    opening ??= openPool(options, statementDurations).then(
      (opened) => {
        opened.on("error", (err) =>
          logger.debug({ event: "postgres_connection_closed", err }, "connection to Postgres closed"),
        );
        pool = opened;
        return opened;
      },
      (cause) => {
        opening = null;
        throw new PostgresUnavailableError("Postgres cannot be reached", { cause });
      },
    );
    return opening;
  }

  async function leaseConnection(onReturn: () => void): Promise<Lease> {
    const isPausing = failure !== null && performance.now() < failure.at + OPENING_PAUSE_MS;
    if (isPausing && !pool?.state().idleConnections) throw failure?.error;
    try {
      return await lease(await open(), onReturn);
    } catch (error) {
      failure = { error, at: performance.now() };
      throw error;
    }
  }

  return {
    async acquire(queue) {
      const since = performance.now();
      let waitMs = acquireTimeoutMs;
      let freeSlot: () => void;
      try {
        freeSlot = await waitForSlot(queues[queue], {
          ms: acquireTimeoutMs,
          maxWaiting: queues[queue].concurrency * WAITING_PER_CONNECTION,
          refusal: busy,
        });
        waitMs = performance.now() - since;
      } finally {
        if (queue === "general") shortestWaitMs = Math.min(shortestWaitMs ?? waitMs, waitMs);
      }
      const leasing = leaseConnection(freeSlot);
      try {
        const leftMs = Math.max(1, acquireTimeoutMs - (performance.now() - since));
        return await withDeadline(leasing, leftMs, busy);
      } catch (error) {
        leasing.then(({ release }) => release(), freeSlot);
        throw error;
      }
    },
    use() {
      const { acquiredConnections: active = 0, idleConnections: idle = 0 } = pool?.state() ?? {};
      const waiting = general.size + (queues.reserved === general ? 0 : queues.reserved.size);
      return { active, idle, max: maxConnections, waiting };
    },
    takeShortestWait() {
      const waitMs = shortestWaitMs;
      shortestWaitMs = null;
      return waitMs === null && general.size === 0 ? 0 : waitMs;
    },
    async end() {
      await pool?.end();
    },
  };
}

/** Waits for a connection of the pool, without a limit. */
function lease(pool: DatabasePool, onReturn: () => void): Promise<Lease> {
  const leased = Promise.withResolvers<Lease>();
  const returned = Promise.withResolvers<void>();
  pool
    .connect((connection) => {
      leased.resolve({
        connection,
        release() {
          returned.resolve();
          onReturn();
        },
        discard() {
          returned.reject(new Error("discarded"));
          onReturn();
        },
      });
      return returned.promise;
    })
    .catch(leased.reject);
  return leased.promise;
}

function openPool(options: PostgresOptions, statementDurations: Histogram<"statement">): Promise<DatabasePool> {
  const { url, applicationName, maxConnections, openConnections } = options;
  const { statementTimeoutMs, acquireTimeoutMs, preparedStatements = "on" } = options;
  return createPool(stringifyDsn({ ...parseDsn(url), applicationName }), {
    driverFactory: createDriver(statementTimeoutMs + HANG_GRACE_MS, options.logger),
    maxPoolSize: maxConnections,
    statementTimeout: statementTimeoutMs,
    idleInTransactionSessionTimeout: statementTimeoutMs,
    connectionTimeout: acquireTimeoutMs,
    ...(openConnections === undefined
      ? { idleTimeout: 60_000 }
      : { idleTimeout: "DISABLE_TIMEOUT", maximumConnectionAge: "DISABLE_TIMEOUT" }),
    gracefulTerminationTimeout: 500,
    connectionRetryLimit: 0,
    queryRetryLimit: 0,
    transactionRetryLimit: 0,
    // Statements leave no session state, and DISCARD ALL would cost a round trip each.
    resetConnection: async () => {},
    interceptors: [
      measureStatements(statementDurations),
      ...(preparedStatements === "on" ? [] : [removeStatementName]),
      parseRows,
    ],
    typeParsers: TYPE_PARSERS,
  });
}

function busy(): Error {
  return new PostgresBusyError("No connection to Postgres became free in time");
}

/**
 * slonik's driver, whose connections have a listener for errors as long as they exist. slonik removes its own before a
 * slow connection is closed, and an error of Postgres that arrives after that would end the process.
 *
 * An unresponsive server does not enforce its timeout: a statement without a response after `responseTimeoutMs` fails, and
 * so do all further statements on its connection. If Postgres responded on another connection meanwhile, it is available.
 */
function createDriver(responseTimeoutMs: number, logger: Pick<Logger, "debug">): DriverFactory {
  const createPgDriver = createPgDriverFactory();
  let respondedAt = Number.NEGATIVE_INFINITY;
  return async (options) => {
    const { createClient } = await createPgDriver(options);
    return {
      async createClient() {
        const client = await createClient();
        client.on("error", () => {});
        client.on("notice", ({ message }) => logger.debug({ event: "postgres_notice" }, message));
        const { query } = client;
        let failure: Error | null = null;
        client.query = async (...statement) => {
          if (failure !== null) throw failure;
          const since = performance.now();
          const result = await withDeadline(query(...statement), responseTimeoutMs, () => {
            const TimedOut = respondedAt > since ? PostgresTimeoutError : PostgresUnavailableError;
            failure = new TimedOut("Postgres did not respond in time");
            return failure;
          });
          respondedAt = performance.now();
          return result;
        };
        return client;
      },
    };
  };
}
