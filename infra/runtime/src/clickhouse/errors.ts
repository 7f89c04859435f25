import { ClickHouseError } from "@clickhouse/client";

/** ClickHouse did not do the work, or its response was lost: an insert may have been executed. */
export class ClickHouseUnavailableError extends Error {
  override readonly name = "ClickHouseUnavailableError";
}

/**
 * The codes of ClickHouse's errors that mean that a query is wrong, not that the server cannot execute it: syntax, unknown
 * names and types. https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const QUERY_ERRORS = new Set([
  "6",
  "27",
  "36",
  "42",
  "43",
  "46",
  "47",
  "50",
  "53",
  "62",
  "184",
  "386",
]);

/** Without details of the connection: its URL has a password. */
export function translateClickHouseError(error: unknown): unknown {
  if (error instanceof ClickHouseError && QUERY_ERRORS.has(error.code)) return error;
  return new ClickHouseUnavailableError("ClickHouse is unavailable", { cause: error });
}
