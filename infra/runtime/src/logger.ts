import { type DestinationStream, type LoggerOptions, pino } from "pino";
import type { LogEvent } from "./log-events.ts";
import { tracing } from "./tracing/tracing.ts";

export type { LogEvent } from "./log-events.ts";

type Log = (record: { event: LogEvent; [field: string]: unknown }, message: string) => void;

/** pino's logger, whose records all carry an event. */
export interface Logger {
  fatal: Log;
  error: Log;
  warn: Log;
  info: Log;
  debug: Log;
  child(fields: Record<string, unknown>): Logger;
}

const SECRETS = [
  "authorization",
  "cookie",
  "set-cookie",
  "idempotency-key",
  "idempotencyKey",
  "password",
  "secret",
  "token",
  "idToken",
  "accessToken",
  "refreshToken",
  "claimToken",
  "email",
];

function secretPaths(): string[] {
  return SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]);
}

interface LoggedRequest {
  method?: string;
  url?: string;
}

/** A query may hold anything a visitor types, so only the path is kept. */
function serializeRequest({ method, url }: LoggedRequest): object {
  return { method, path: url?.split("?", 1)[0] };
}

function serializeResponse({ statusCode }: { statusCode?: number }): object {
  return { status: statusCode };
}

/**
 * Just what tells the fault: drivers hang whole statements, rows and commands on their errors, and
 * with them what people typed.
 */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(constraint ? { constraint } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}

export interface LoggerSettings {
  service: string;
  level: string;
}

/**
 * JSON lines; `err`, `req` and `res` are the names that get serialized. Written synchronously, so that
 * the last words of a process are complete and in order.
 */
export function createLogger(
  { service, level }: LoggerSettings,
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const traceId = tracing?.traceId() ?? null;
      return traceId === null ? {} : { traceId };
    },
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError, req: serializeRequest, res: serializeResponse },
    redact: { paths: secretPaths(), censor: "[redacted]" },
  };
  return pino(options, destination);
}
