import type { Outcome, Reading } from "./source.ts";

const REFUSALS_IN_A_ROW = 5;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 60 * 60_000;

const REFUSALS: ReadonlySet<Outcome> = new Set(["captcha", "error-page", "refused"]);

/** Recent refusals of a host. */
export interface HostBackoff {
  /** Refusals in a row. */
  refusals: number;
  /** Milliseconds since the epoch. */
  restsUntil: number;
}

export const INITIAL_BACKOFF: HostBackoff = { refusals: 0, restsUntil: 0 };

/** Milliseconds until the next request to the host is allowed. */
export function backoffRemainingMs({ restsUntil }: HostBackoff, now: number): number {
  return Math.max(0, restsUntil - now);
}

/**
 * After some refusals in a row a host gets no request for a minute, twice as long after each further one, up to an hour.
 * Responses to requests from before the backoff do not extend it.
 */
export function nextBackoff(mood: HostBackoff, reading: Reading, now: number): HostBackoff {
  if (reading.kind === "read") return INITIAL_BACKOFF;
  if (!REFUSALS.has(reading.outcome) || backoffRemainingMs(mood, now) > 0) return mood;
  const refusals = mood.refusals + 1;
  if (refusals < REFUSALS_IN_A_ROW) return { ...mood, refusals };
  const restMs = FIRST_REST_MS * 2 ** Math.min(refusals - REFUSALS_IN_A_ROW, 10);
  return { refusals, restsUntil: now + Math.min(restMs, LONGEST_REST_MS) };
}
