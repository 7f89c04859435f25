import { type DestinationStream, type LoggerOptions, pino } from "pino";
import { SchemaValidationError } from "slonik";
import type { LogEvent } from "./log-events.ts";

export type { LogEvent } from "./log-events.ts";

type Log = (record: { event: LogEvent; [field: string]: unknown }, message: string) => void;

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
  "apiKey",
  "idToken",
  "accessToken",
  "refreshToken",
  "claimToken",
  "email",
];

function secretPaths(): string[] {
  return SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]);
}

/** The path without the query, which may contain personal data. */
function serializeRequest({ method, url }: { method?: string; url?: string }): object {
  return { method, path: url?.split("?", 1)[0] };
}

function serializeResponse({ statusCode }: { statusCode?: number }): object {
  return { status: statusCode };
}

/** Only the fields that explain an error: drivers attach whole statements, rows and commands, with personal data. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const issues = error instanceof SchemaValidationError ? issueTexts(error.issues) : null;
  return {
    type: error.constructor.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(constraint ? { constraint } : {}),
    ...(issues === null ? {} : { issues }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}

/** The message has the names of fields and the rules that they break, never their values. */
export interface Issue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

/** The fields and what is wrong with them: "routing.stores.0.marketplace: Invalid input". */
export function issueTexts(issues: readonly Issue[]): string[] {
  return issues.slice(0, 5).map(({ path = [], message }) => {
    const field = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return field === "" ? message : `${field}: ${message}`;
  });
}

/**
 * Creates a logger that writes JSON lines; `err`, `req` and `res` are serialized. It writes synchronously, so that
 * the last records of a process are complete and in order.
 */
export function createLogger(
  { service, level }: { service: string; level: string },
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError, req: serializeRequest, res: serializeResponse },
    redact: { paths: secretPaths(), censor: "[redacted]" },
  };
  return pino(options, destination);
}
