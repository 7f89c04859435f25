import { randomUUID } from "node:crypto";
import type { Logger } from "../logger.ts";

/** Set by the gateway; included in log records and job data. */
export const REQUEST_ID_HEADER = "x-request-id";

const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/;

/** The incoming id if it is well-formed, else a new one. */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && WELL_FORMED.test(header) ? header : randomUUID();
}

/** A logger whose records carry the request's id. */
export function requestLogger(logger: Logger, requestId: string): Logger {
  return logger.child({ requestId });
}
