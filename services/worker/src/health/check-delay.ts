const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** Longer than the time after which a second check counts. */
const SUSPECTED_MS = 7 * HOUR_MS;
const ACTIVE_MS = DAY_MS;
const QUIET_MS = 7 * DAY_MS;

export interface PageActivity {
  /** The last check found a state for the first time. */
  isSuspected: boolean;
  /** An owner created a link to it in the last days. */
  hasNewLink: boolean;
  /** A link to it was clicked in the last days. */
  hasClicks: boolean;
}

/**
 * The longest time until the next check of a page, in milliseconds.
 * @param random from 0 to 1, so that pages that were checked together are not checked together again
 */
export function checkDelay(
  { isSuspected, hasNewLink, hasClicks }: PageActivity,
  random: number,
): number {
  const delay = isSuspected ? SUSPECTED_MS : hasNewLink || hasClicks ? ACTIVE_MS : QUIET_MS;
  return Math.round(delay * (1 + random / 5));
}
