const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses after failed attempts that the Standard Webhooks specification suggests. */
const ATTEMPT_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

const FIRST_PAUSE_MS = 5 * SECOND_MS;
const MAX_PAUSE_MS = 5 * MINUTE_MS;

/** Up to 10 % are added, so that deliveries that failed together are not attempted together. */
const JITTER = 0.1;
const MAX_WAIT_MS = 24 * HOUR_MS;

/** The delay before the next attempt of a delivery; null after the last one. @param failed its failed attempts, from 1 */
export function attemptDelayMs(failed: number, random = Math.random): number | null {
  const delay = ATTEMPT_DELAYS_MS[failed - 1];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random()));
}

/** @param text the header: seconds, or a date of HTTP @returns milliseconds, a day at most; null if it says nothing */
export function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null || text.length > 40) return null;
  const waitMs = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now;
  return waitMs > 0 ? Math.min(waitMs, MAX_WAIT_MS) : null;
}

/**
 * How long a failing webhook is paused, although events may be due.
 * @param failures leases without success in a row, from 1
 */
export function webhookPauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
}
