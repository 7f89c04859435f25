import { SafeFetchError, type SafeFetchErrorCode } from "@tapthru/runtime/safe-fetch/errors";
import type { ReadResult } from "./source.ts";

const RESULTS: Record<SafeFetchErrorCode, ReadResult> = {
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
export function readResultFromError(error: unknown, signal: AbortSignal): ReadResult {
  signal.throwIfAborted();
  if (error instanceof SafeFetchError) return RESULTS[error.code];
  throw error;
}
