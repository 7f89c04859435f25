import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
} from "slonik";

/** Postgres did not do the work, or its answer got lost: a write may have been carried out. */
export class PostgresUnavailableError extends Error {
  override readonly name: string = "PostgresAwayError";
}

/** No connection became free in time; nothing was sent. */
export class PostgresBusyError extends PostgresUnavailableError {
  override readonly name = "PostgresBusyError";
}

const AWAY = [
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
];

/** Connection trouble, out of resources (disk, memory, connections), operator intervention, I/O. */
const AWAY_SQLSTATE = /^(08|53|57|58)[0-9A-Z]{3}$/;

/** Makes a PostgresAwayError of what says that Postgres cannot serve now; leaves the rest alone. */
export function translatePostgresError(error: unknown): unknown {
  return isAway(error) ? new PostgresUnavailableError("Postgres is away", { cause: error }) : error;
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof PostgresUnavailableError) return false;
  if (AWAY.some((kind) => error instanceof kind) || "syscall" in error) return true;
  return "code" in error && AWAY_SQLSTATE.test(String(error.code));
}
