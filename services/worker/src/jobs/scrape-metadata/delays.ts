const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 3 * DAY_MS];
const LAST_PAUSE_MS = 30 * DAY_MS;

/**
 * The delay after a number of failed attempts in a row, in milliseconds.
 * @param attempts Infinity if another attempt is useless
 * @param random from 0 to 1, so that pages that failed together are not retried together
 */
export function retryDelay(attempts: number, random: number): number {
  const pause = PAUSES_MS[attempts - 1] ?? LAST_PAUSE_MS;
  return Math.round(pause * (0.75 + random / 2));
}

export function postponementDelay(retryInMs: number, random: number): number {
  return Math.round(retryInMs + random * MINUTE_MS);
}

/** The delay until a page is refreshed; never longer than it is fresh. */
export function refreshDelay(freshForMs: number, random: number): number {
  return Math.round(freshForMs * (1 - random / 5));
}
