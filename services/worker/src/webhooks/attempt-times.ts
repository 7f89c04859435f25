import type { DeliveryError, DisabledReason } from "@tapthru/proto/webhooks";

export type AttemptResult = ({ status: number } | { error: DeliveryError }) & {
  retryAfterMs?: number | null;
  /** The same event is never accepted. */
  isFinal?: boolean;
  disables?: DisabledReason;
};

export function isDelivered(result: AttemptResult): boolean {
  return "status" in result && result.status >= 200 && result.status < 300;
}

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
/** After a message to people further events are collected. */
const PEOPLE_PAUSE_MS = 5 * MINUTE_MS;

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
function webhookPauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
}

export interface LeaseEnd {
  outcome: "delivered" | "failed" | "unchanged";
  /** Why the receiver does not want any more events; null: it does, or has failed for so long that it is disabled. */
  disables: DisabledReason | null;
  /** Unix milliseconds; null: the next events are sent when they are due. */
  pausedUntil: number | null;
}

/** @param quietEnd of the quiet hours in which it is, in Unix milliseconds */
export function endOf(
  results: readonly AttemptResult[],
  { failureCount, isForPeople, quietEnd }: { failureCount: number; isForPeople: boolean; quietEnd: number | null },
  now: number,
): LeaseEnd {
  const disables = results.find(({ disables }) => disables !== undefined)?.disables ?? null;
  const waitMs = Math.max(0, ...results.map(({ retryAfterMs }) => retryAfterMs ?? 0));
  const hasDelivered = results.some(isDelivered);
  if (disables !== null || (results.length > 0 && !hasDelivered && waitMs === 0)) {
    return { outcome: "failed", disables, pausedUntil: now + webhookPauseMs(failureCount + 1) };
  }
  const until = quietEnd ?? (isForPeople && hasDelivered ? now + PEOPLE_PAUSE_MS : null);
  const pausedUntil = waitMs === 0 ? until : Math.max(now + waitMs, until ?? 0);
  return { outcome: hasDelivered ? "delivered" : "unchanged", disables, pausedUntil };
}
