const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const PAUSES_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  3 * DAY_MS,
];
/** Of a page that is as good as given up. */
const LAST_PAUSE_MS = 30 * DAY_MS;

/**
 * How long a page is left alone after so many attempts in a row that taught nothing, in milliseconds.
 * @param attempts Infinity where another is of no use
 * @param random from 0 to 1, so that pages that failed together are not tried together
 */
export function retryDelay(attempts: number, random: number): number {
  const pause = PAUSES_MS[attempts - 1] ?? LAST_PAUSE_MS;
  return Math.round(pause * (0.75 + random / 2));
}

/** How long a page waits that nobody could be asked about, so that not all come back at one moment. */
export function postponementDelay(retryInMs: number, random: number): number {
  return Math.round(retryInMs + random * MINUTE_MS);
}

/** When a page that was read is read again; never later than it stays fresh. */
export function refreshTime(freshForMs: number, random: number): number {
  return Math.round(freshForMs * (1 - random / 5));
}
