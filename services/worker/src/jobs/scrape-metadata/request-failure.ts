import { SafeFetchError, type SafeFetchErrorCode } from "@tapthru/runtime/safe-fetch/errors";
import type { Reading } from "./source.ts";

const READINGS: Record<SafeFetchErrorCode, Reading> = {
  "refused-url": { kind: "nothing", outcome: "unsupported", lasting: true },
  "refused-address": { kind: "nothing", outcome: "unreachable" },
  unreachable: { kind: "nothing", outcome: "unreachable" },
  "bad-response": { kind: "nothing", outcome: "unreadable" },
  timeout: { kind: "nothing", outcome: "too-slow" },
};

/**
 * What a request that failed says of a page.
 * @throws the signal's reason once it is aborted, else every error that is none of safe-fetch's
 */
export function readResultOfError(error: unknown, signal: AbortSignal): Reading {
  signal.throwIfAborted();
  if (error instanceof SafeFetchError) return READINGS[error.code];
  throw error;
}
