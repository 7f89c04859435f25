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
 * The result of a failed request.
 * @throws the signal's reason if it is aborted, and errors that are not SafeFetchError
 */
export function readResultOfError(error: unknown, signal: AbortSignal): Reading {
  signal.throwIfAborted();
  if (error instanceof SafeFetchError) return READINGS[error.code];
  throw error;
}
