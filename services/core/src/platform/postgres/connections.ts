import { createPgDriverFactory } from "@slonik/pg-driver";
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
  /** Prepares statements that have a name. `off` if a pooler runs each transaction on another connection; by default `on`. */
  preparedStatements?: "on" | "off";
  logger: Logger;
}

export interface PostgresUsage {
  active: number;
  idle: number;
  max: number;
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
  end(): Promise<void>;
}

/** Pause after a connection could not be opened, as an attempt costs more than a query. */
const OPENING_PAUSE_MS = 200;

/** An unresponsive server does not enforce its timeout: the connection is discarded this much later. */
const HANG_GRACE_MS = 500;
/** Waiting work per connection above which more work is refused at once. */
const WAITING_PER_CONNECTION = 50;

/**
 * Reserved connections have a pool of their own. slonik's pools wait for connections without a limit; what waits here for too
 * long gives its connection back as soon as it gets one.
 */
export function createPostgresConnections(
  options: PostgresOptions,
  statementDurations: Histogram<"statement">,
): PostgresConnections {
  const { maxConnections, reservedConnections = 0 } = options;
  const pool = (size: number) => createReopeningPool({ ...options, maxConnections: size }, statementDurations);
  const general = pool(maxConnections - reservedConnections);
  const reserved = reservedConnections === 0 ? general : pool(reservedConnections);
  const pools: Record<ConnectionQueue, ReopeningPool> = { general, reserved };
  const all = [...new Set([general, reserved])];

  return {
    acquire: (queue) => pools[queue].acquire(),
    use() {
      const sum = (count: keyof PoolUse) => all.reduce((total, each) => total + each.use()[count], 0);
      return { active: sum("active"), idle: sum("idle"), max: maxConnections, waiting: sum("waiting") };
    },
    async end() {
      await Promise.all(all.map((each) => each.end()));
    },
  };
}

type PoolUse = Omit<PostgresUsage, "max">;

interface ReopeningPool {
  acquire(): Promise<Lease>;
  use(): PoolUse;
  end(): Promise<void>;
}

/** slonik queries the server's types when it creates a pool, which is repeated until it succeeds. */
function createReopeningPool(options: PostgresOptions, statementDurations: Histogram<"statement">): ReopeningPool {
  const { acquireTimeoutMs, maxConnections, logger } = options;
  let pool: DatabasePool | null = null;
  let opening: Promise<DatabasePool> | null = null;
  let failure: { error: unknown; at: number } | null = null;

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

  async function leaseConnection(): Promise<Lease> {
    const isPausing = failure !== null && performance.now() < failure.at + OPENING_PAUSE_MS;
    if (isPausing && !pool?.state().idleConnections) throw failure?.error;
    try {
      return await lease(await open());
    } catch (error) {
      failure = { error, at: performance.now() };
      throw error;
    }
  }

  function use(): PoolUse {
    const state = pool?.state();
    return {
      active: state?.acquiredConnections ?? 0,
      idle: state?.idleConnections ?? 0,
      waiting: state?.waitingClients ?? 0,
    };
  }

  return {
    async acquire() {
      if (use().waiting >= maxConnections * WAITING_PER_CONNECTION) throw busy();
      const leasing = leaseConnection();
      try {
        return await withDeadline(leasing, acquireTimeoutMs, busy);
      } catch (error) {
        leasing.then(
          ({ release }) => release(),
          () => {},
        );
        throw error;
      }
    },
    use,
    async end() {
      await pool?.end();
    },
  };
}

function lease(pool: DatabasePool): Promise<Lease> {
  const leased = Promise.withResolvers<Lease>();
  const returned = Promise.withResolvers<void>();
  pool
    .connect((connection) => {
      leased.resolve({
        connection,
        release: returned.resolve,
        discard: () => returned.reject(new Error("discarded")),
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
