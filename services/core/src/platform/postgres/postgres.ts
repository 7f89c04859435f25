import type { Histogram } from "prom-client";
import { type CommonQueryMethods, type DatabasePoolConnection, type DatabaseTransactionConnection, sql } from "slonik";
import * as z from "zod/mini";
import { currentActor } from "../actor.ts";
import { createDependencyState } from "../dependency-state.ts";
import type { Component } from "../lifecycle.ts";
import { DurationHistogram } from "../metrics/durations.ts";
import { withDeadline } from "../waiting.ts";
import {
  type ConnectionQueue,
  createPostgresConnections,
  type Lease,
  type PostgresOptions,
  type PostgresUsage,
} from "./connections.ts";
import { PostgresBusyError, PostgresTimeoutError, PostgresUnavailableError, translatePostgresError } from "./errors.ts";
import { callerOf, createStatementDurations } from "./statement-callers.ts";

export { PostgresBusyError, type PostgresOptions, PostgresTimeoutError, PostgresUnavailableError };

/** The methods that a function needs of the pool, a connection or a transaction. */
export type Db<Method extends keyof CommonQueryMethods> = Pick<CommonQueryMethods, Method>;

const changes = new WeakSet<object>();

/**
 * As `sql.type`, for a statement that changes something and returns rows: outside a transaction it gets one of its own, if it must be
 * checked that the actor may still do it. So does each statement of the method `query`, whose rows are not read.
 */
export function changing<Row extends z.ZodMiniType>(row: Row) {
  return (...text: Parameters<ReturnType<typeof sql.type<Row>>>) => {
    const statement = sql.type(row)(...text);
    changes.add(statement);
    return statement;
  };
}

/**
 * Each method runs a statement or a transaction on a connection of the pool. All throw PostgresUnavailableError or
 * PostgresBusyError if Postgres is unavailable or overloaded, and slonik's own errors otherwise.
 */
export interface Postgres extends CommonQueryMethods, Component {
  readonly wasReached: boolean;
  /** True if Postgres responded to the last query, also if that took too long; false before the first. */
  readonly isAvailable: boolean;
  readonly durations: DurationHistogram;
  readonly statementDurations: Histogram<"statement">;
  use(): PostgresUsage;
  /** Uses the reserved connections, or any connection if `reservedConnections` is not set. */
  readonly reserved: CommonQueryMethods;
}

/** How often a transaction may take the time of one statement. Each statement, and each pause between two, has its own limit. */
const TRANSACTION_FACTOR = 10;
const RETRY_MS = 1_000;

type Work<T> = (connection: DatabasePoolConnection) => Promise<T>;

/** Postgres may be unavailable at creation and start; connecting is retried. */
export function createPostgres(options: PostgresOptions): Postgres {
  const statementDurations = createStatementDurations();
  const connections = createPostgresConnections(options, statementDurations);
  const state = createDependencyState(options.logger, "postgres");
  const transactionTimeoutMs = TRANSACTION_FACTOR * options.statementTimeoutMs;
  const durations = new DurationHistogram();
  const durationOf = {
    ok: durations.add({ outcome: "ok" }),
    failed: durations.add({ outcome: "failed" }),
    busy: durations.add({ outcome: "busy" }),
    timeout: durations.add({ outcome: "timeout" }),
    unavailable: durations.add({ outcome: "unavailable" }),
  };
  let retry: NodeJS.Timeout | undefined;

  /** @param statement the only one of the work */
  async function run<T>(queue: ConnectionQueue, work: Work<T>, statement?: { sql: string }): Promise<T> {
    if (statement !== undefined) callerOf(statement.sql);
    const since = performance.now();
    let outcome: keyof typeof durationOf = "ok";
    try {
      const result = await runWork(await connections.acquire(queue), work);
      if (state.isUnavailable) void openKeptConnections();
      state.available();
      return result;
    } catch (error) {
      const translated = translatePostgresError(error);
      outcome = outcomeOf(translated);
      if (outcome === "unavailable") state.unavailable(error);
      throw translated;
    } finally {
      durationOf[outcome].observeSince(since);
    }
  }

  async function runWork<T>(lease: Lease, work: Work<T>): Promise<T> {
    try {
      const result = await work(lease.connection);
      lease.release();
      return result;
    } catch (error) {
      if (isUnavailable(translatePostgresError(error))) lease.discard();
      else lease.release();
      throw error;
    }
  }

  /** Opens the kept connections one after the other, so that concurrent queries have one each. */
  async function openKeptConnections(): Promise<void> {
    const selectNothing = (queue: ConnectionQueue) =>
      run(queue, (connection) => connection.query(sql.type(z.object({}))`SELECT`));
    const reserved = options.reservedConnections ?? 0;
    try {
      for (let concurrency = 1; concurrency <= (options.openConnections ?? 1); concurrency++) {
        const selects = Array.from({ length: concurrency }, (_, i) =>
          selectNothing(i < reserved ? "reserved" : "general"),
        );
        await Promise.all(selects);
      }
    } catch {
      clearTimeout(retry);
      retry = setTimeout(openKeptConnections, RETRY_MS);
    }
  }

  const withinLimit = <T>(work: Promise<T>) =>
    withDeadline(work, transactionTimeoutMs, () => new PostgresTimeoutError("The transaction took too long"));

  /** A statement that changes something is run in a transaction if the actor must be authorized. */
  function runStatement<T>(
    queue: ConnectionQueue,
    statement: { sql: string },
    work: (methods: CommonQueryMethods) => Promise<T>,
    isChange = changes.has(statement),
  ): Promise<T> {
    if (currentActor()?.authorize === undefined || !isChange) return run(queue, work, statement);
    callerOf(statement.sql);
    return runTransaction(queue, work);
  }

  function runTransaction<T>(
    queue: ConnectionQueue,
    work: (transaction: DatabaseTransactionConnection) => Promise<T>,
  ): Promise<T> {
    const actor = currentActor();
    return run(queue, (connection) =>
      withinLimit(
        connection.transaction(async (transaction) => {
          await actor?.authorize?.(transaction);
          return work(transaction);
        }),
      ),
    );
  }

  function methodsOf(queue: ConnectionQueue): CommonQueryMethods {
    return {
      any: (query) => runStatement(queue, query, (db) => db.any(query)),
      anyFirst: (query) => runStatement(queue, query, (db) => db.anyFirst(query)),
      exists: (query) => runStatement(queue, query, (db) => db.exists(query)),
      many: (query) => runStatement(queue, query, (db) => db.many(query)),
      manyFirst: (query) => runStatement(queue, query, (db) => db.manyFirst(query)),
      maybeOne: (query) => runStatement(queue, query, (db) => db.maybeOne(query)),
      maybeOneFirst: (query) => runStatement(queue, query, (db) => db.maybeOneFirst(query)),
      one: (query) => runStatement(queue, query, (db) => db.one(query)),
      oneFirst: (query) => runStatement(queue, query, (db) => db.oneFirst(query)),
      query: (query) => runStatement(queue, query, (db) => db.query(query), true),
      record: (query) => runStatement(queue, query, (db) => db.record(query)),
      stream: (query, handler) => run(queue, (connection) => withinLimit(connection.stream(query, handler))),
      transaction: (handler) => runTransaction(queue, handler),
    };
  }

  return {
    name: "postgres",
    start: openKeptConnections,
    async stop() {
      clearTimeout(retry);
      await connections.end();
    },
    use: connections.use,
    durations,
    statementDurations,
    get isAvailable() {
      return state.wasReached && !state.isUnavailable;
    },
    get wasReached() {
      return state.wasReached;
    },
    ...methodsOf("general"),
    reserved: methodsOf("reserved"),
  };
}

function outcomeOf(error: unknown): "failed" | "busy" | "timeout" | "unavailable" {
  if (error instanceof PostgresBusyError) return "busy";
  if (error instanceof PostgresTimeoutError) return "timeout";
  return isUnavailable(error) ? "unavailable" : "failed";
}

function isUnavailable(error: unknown): boolean {
  return error instanceof PostgresUnavailableError;
}
