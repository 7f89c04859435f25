import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
  UnexpectedForeignConnectionError,
} from "slonik";

/** Postgres did not do the work, or its response was lost: a write may have been executed. */
export class PostgresUnavailableError extends Error {
  override readonly name: string = "PostgresUnavailableError";
}

/** No connection became free in time; nothing was sent. */
export class PostgresBusyError extends PostgresUnavailableError {
  override readonly name = "PostgresBusyError";
}

/** The work took too long and was rolled back, or its response was lost. Postgres itself responds. */
export class PostgresTimeoutError extends PostgresUnavailableError {
  override readonly name = "PostgresTimeoutError";
}

/** Another transaction held a lock for longer than `lock_timeout`. */
export class PostgresLockedError extends PostgresTimeoutError {}

const TIMEOUT_ERRORS = [IdleTransactionTimeoutError, StatementCancelledError, StatementTimeoutError];

const UNAVAILABLE_ERRORS = [
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  // A transaction goes on after its connection was closed between two statements.
  UnexpectedForeignConnectionError,
];

/** slonik's errors without a class, while it closes the connection of a transaction. */
const CLOSED_CONNECTION = /^Client is (?:pending destroy|destroyed)\.$/;

/** SQLSTATE classes: connection errors, insufficient resources, operator intervention, system errors. */
const UNAVAILABLE_SQLSTATE = /^(08|53|57|58)[0-9A-Z]{3}$/;

export function translatePostgresError(error: unknown): unknown {
  if (error instanceof Error && "code" in error && error.code === "55P03") {
    return new PostgresLockedError("Postgres waited for a lock", { cause: error });
  }
  if (isTimeout(error)) return new PostgresTimeoutError("Postgres took too long", { cause: error });
  return isUnavailable(error) ? new PostgresUnavailableError("Postgres is unavailable", { cause: error }) : error;
}

/** Also a transaction whose connection Postgres closed because it was idle. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return TIMEOUT_ERRORS.some((kind) => error instanceof kind || error.cause instanceof kind);
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof PostgresUnavailableError) return false;
  if (UNAVAILABLE_ERRORS.some((kind) => error instanceof kind) || "syscall" in error) return true;
  if (CLOSED_CONNECTION.test(error.message)) return true;
  return "code" in error && UNAVAILABLE_SQLSTATE.test(String(error.code));
}
