import { type CommonQueryMethods, type DatabasePoolConnection, sql } from "slonik";
import * as z from "zod/mini";
import { withDeadline } from "../deadline.ts";
import { createDependencyState } from "../dependency-state.ts";
import type { Component } from "../lifecycle.ts";
import { Durations } from "../metrics/durations.ts";
import { inChildSpan } from "../tracing/tracing.ts";
import {
  createPostgresConnections,
  type Lane,
  type Lease,
  type PostgresOptions,
  type PostgresUse,
} from "./connections.ts";
import { PostgresBusyError, PostgresUnavailableError, translatePostgresError } from "./errors.ts";

export { PostgresBusyError, type PostgresOptions, PostgresUnavailableError };

/**
 * Each method runs a statement or a transaction on a connection of the pool. All throw PostgresUnavailableError or
 * PostgresBusyError if Postgres is unavailable or overloaded, and slonik's own errors otherwise.
 */
export interface Postgres extends CommonQueryMethods, Component {
  readonly wasReached: boolean;
  /** Whether the last query succeeded; false before the first. */
  readonly isAvailable: boolean;
  readonly durations: Durations;
  use(): PostgresUse;
  /** On the connections of `reservedConnections`; without these, on any connection. */
  readonly reserved: CommonQueryMethods;
}

/** An unresponsive server does not enforce its timeout: the connection is discarded this much later. */
const HANG_GRACE_MS = 500;
const RETRY_MS = 1_000;

type Work<T> = (connection: DatabasePoolConnection) => Promise<T>;

/** Postgres may be unavailable at creation and start; connecting is retried. */
export function createPostgres(options: PostgresOptions): Postgres {
  const connections = createPostgresConnections(options);
  const state = createDependencyState(options.logger, "postgres");
  const responseTimeoutMs = options.statementTimeoutMs + HANG_GRACE_MS;
  const durations = new Durations();
  const took = {
    ok: durations.add({ outcome: "ok" }),
    failed: durations.add({ outcome: "failed" }),
    busy: durations.add({ outcome: "busy" }),
    away: durations.add({ outcome: "away" }),
  };
  let retry: NodeJS.Timeout | undefined;

  async function run<T>(lane: Lane, work: Work<T>): Promise<T> {
    const since = performance.now();
    let outcome: keyof typeof took = "ok";
    try {
      const result = await inChildSpan("postgres", async () =>
        workOn(await connections.acquire(lane), work),
      );
      if (state.isUnavailable) void openKeptConnections();
      state.available();
      return result;
    } catch (error) {
      const translated = translatePostgresError(error);
      outcome = outcomeOf(translated);
      if (outcome === "away") state.unavailable(error);
      throw translated;
    } finally {
      took[outcome].observeSince(since);
    }
  }

  async function workOn<T>(lease: Lease, work: Work<T>): Promise<T> {
    try {
      const result = await withDeadline(work(lease.connection), responseTimeoutMs, timedOut);
      lease.giveBack();
      return result;
    } catch (error) {
      if (isUnavailable(translatePostgresError(error))) lease.discard();
      else lease.giveBack();
      throw error;
    }
  }

  /** Opens the kept connections one after the other, so that concurrent queries have one each. */
  async function openKeptConnections(): Promise<void> {
    const selectNothing = (lane: Lane) =>
      run(lane, (connection) => connection.query(sql.type(z.object({}))`SELECT`));
    const reserved = options.reservedConnections ?? 0;
    try {
      for (let together = 1; together <= (options.openConnections ?? 1); together++) {
        const selects = Array.from({ length: together }, (_, i) =>
          selectNothing(i < reserved ? "reserved" : "general"),
        );
        await Promise.all(selects);
      }
    } catch {
      clearTimeout(retry);
      retry = setTimeout(openKeptConnections, RETRY_MS);
    }
  }

  function methodsOf(lane: Lane): CommonQueryMethods {
    return {
      any: (query) => run(lane, (connection) => connection.any(query)),
      anyFirst: (query) => run(lane, (connection) => connection.anyFirst(query)),
      exists: (query) => run(lane, (connection) => connection.exists(query)),
      many: (query) => run(lane, (connection) => connection.many(query)),
      manyFirst: (query) => run(lane, (connection) => connection.manyFirst(query)),
      maybeOne: (query) => run(lane, (connection) => connection.maybeOne(query)),
      maybeOneFirst: (query) => run(lane, (connection) => connection.maybeOneFirst(query)),
      one: (query) => run(lane, (connection) => connection.one(query)),
      oneFirst: (query) => run(lane, (connection) => connection.oneFirst(query)),
      query: (query) => run(lane, (connection) => connection.query(query)),
      record: (query) => run(lane, (connection) => connection.record(query)),
      stream: (query, handler) => run(lane, (connection) => connection.stream(query, handler)),
      transaction: (handler) => run(lane, (connection) => connection.transaction(handler)),
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

function outcomeOf(error: unknown): "failed" | "busy" | "away" {
  if (error instanceof PostgresBusyError) return "busy";
  return isUnavailable(error) ? "away" : "failed";
}

function isUnavailable(error: unknown): boolean {
  return error instanceof PostgresUnavailableError;
}

function timedOut(): Error {
  return new PostgresUnavailableError("Postgres did not respond in time");
}
