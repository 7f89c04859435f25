import {
  type CommonQueryMethods,
  createPool,
  type DatabasePool,
  type DatabasePoolConnection,
  parseDsn,
  sql,
  stringifyDsn,
} from "slonik";
import * as z from "zod/mini";
import { withDeadline } from "./deadline.ts";
import { createDependencyState } from "./dependency-state.ts";
import type { Part } from "./lifecycle.ts";
import type { Logger } from "./logger.ts";
import { PostgresAwayError, PostgresBusyError, translatePostgresError } from "./postgres-errors.ts";
import { type Lease, lease } from "./postgres-lease.ts";
import { parseRows, TYPE_PARSERS } from "./postgres-rows.ts";

export { PostgresAwayError, PostgresBusyError };

export interface PostgresOptions {
  url: string;
  applicationName: string;
  maxConnections: number;
  /** For one statement, kept by the server. */
  statementTimeoutMs: number;
  /** How long work may wait for a free connection, or for a new one to stand. */
  acquireTimeoutMs: number;
  logger: Logger;
}

export interface PostgresUse {
  active: number;
  idle: number;
  waiting: number;
}

/**
 * Each method is one piece of work on a connection of the pool: a statement, or a transaction.
 * All throw PostgresAwayError or PostgresBusyError when Postgres cannot serve now, and slonik's own
 * errors for the rest.
 */
export interface Postgres extends CommonQueryMethods, Part {
  readonly wasReached: boolean;
  use(): PostgresUse;
}

/** A server that hangs keeps no timeout: so much later than the statement's the connection goes. */
const HANG_GRACE_MS = 500;
/** More work than this many pieces a connection is refused without waiting. */
const WAITING_PER_CONNECTION = 50;
const RETRY_MS = 1_000;

type Work<T> = (connection: DatabasePoolConnection) => Promise<T>;

/** Neither at its creation nor at its start has Postgres to be there; it is tried until it is. */
export function createPostgres(options: PostgresOptions): Postgres {
  const { acquireTimeoutMs, statementTimeoutMs, maxConnections, logger } = options;
  const state = createDependencyState(logger, "postgres");
  let pool: DatabasePool | null = null;
  let opening: Promise<DatabasePool> | null = null;
  let retry: NodeJS.Timeout | undefined;

  // slonik asks the server for its types when it makes a pool.
  function open(): Promise<DatabasePool> {
    opening ??= openPool(options).then(
      (opened) => {
        opened.on("error", (error) => state.away(error));
        pool = opened;
        return opened;
      },
      (cause) => {
        opening = null;
        throw new PostgresAwayError("Postgres cannot be reached", { cause });
      },
    );
    return opening;
  }

  async function acquire(): Promise<Lease> {
    if (use().waiting >= maxConnections * WAITING_PER_CONNECTION) throw busy();
    const acquiring = open().then(lease);
    try {
      return await withDeadline(acquiring, acquireTimeoutMs, busy);
    } catch (error) {
      acquiring.then(({ giveBack }) => giveBack()).catch(() => {});
      throw error;
    }
  }

  async function run<T>(work: Work<T>): Promise<T> {
    try {
      const { connection, giveBack, discard } = await acquire();
      try {
        const result = await withDeadline(
          work(connection),
          statementTimeoutMs + HANG_GRACE_MS,
          hung,
        );
        giveBack();
        state.answered();
        return result;
      } catch (error) {
        if (translatePostgresError(error) instanceof PostgresAwayError) discard();
        else giveBack();
        throw error;
      }
    } catch (error) {
      const translated = translatePostgresError(error);
      if (translated instanceof PostgresAwayError && !(translated instanceof PostgresBusyError)) {
        state.away(error);
      }
      throw translated;
    }
  }

  function use(): PostgresUse {
    const {
      acquiredConnections: active = 0,
      idleConnections: idle = 0,
      waitingClients = 0,
    } = pool?.state() ?? {};
    return { active, idle, waiting: waitingClients };
  }

  async function reach(): Promise<void> {
    try {
      await run((connection) => connection.query(sql.type(z.object({}))`SELECT`));
    } catch {
      retry = setTimeout(reach, RETRY_MS);
    }
  }

  return {
    name: "postgres",
    start: reach,
    async stop() {
      clearTimeout(retry);
      await pool?.end();
    },
    use,
    get wasReached() {
      return state.wasReached;
    },
    any: (query) => run((connection) => connection.any(query)),
    anyFirst: (query) => run((connection) => connection.anyFirst(query)),
    exists: (query) => run((connection) => connection.exists(query)),
    many: (query) => run((connection) => connection.many(query)),
    manyFirst: (query) => run((connection) => connection.manyFirst(query)),
    maybeOne: (query) => run((connection) => connection.maybeOne(query)),
    maybeOneFirst: (query) => run((connection) => connection.maybeOneFirst(query)),
    one: (query) => run((connection) => connection.one(query)),
    oneFirst: (query) => run((connection) => connection.oneFirst(query)),
    query: (query) => run((connection) => connection.query(query)),
    record: (query) => run((connection) => connection.record(query)),
    stream: (query, handler) => run((connection) => connection.stream(query, handler)),
    transaction: (handler) => run((connection) => connection.transaction(handler)),
  };
}

function openPool(options: PostgresOptions): Promise<DatabasePool> {
  const { url, applicationName, maxConnections, statementTimeoutMs, acquireTimeoutMs } = options;
  return createPool(stringifyDsn({ ...parseDsn(url), applicationName }), {
    maxPoolSize: maxConnections,
    statementTimeout: statementTimeoutMs,
    idleInTransactionSessionTimeout: statementTimeoutMs,
    connectionTimeout: acquireTimeoutMs,
    idleTimeout: 60_000,
    gracefulTerminationTimeout: 500,
    connectionRetryLimit: 0,
    queryRetryLimit: 0,
    transactionRetryLimit: 0,
    // No statement leaves anything in the session, and DISCARD ALL costs each a round trip.
    resetConnection: async () => {},
    interceptors: [parseRows],
    typeParsers: TYPE_PARSERS,
  });
}

function busy(): Error {
  return new PostgresBusyError("No connection to Postgres became free in time");
}

function hung(): Error {
  return new PostgresAwayError("Postgres did not answer in time");
}
