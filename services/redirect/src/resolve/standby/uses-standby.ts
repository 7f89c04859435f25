/** The standby is read before the primary only up to this age. */
const STANDBY_PREFERRED_UP_TO_MS = 5_000;

/**
 * While the primary is unavailable, the standby is read up to this age. With the 15 minutes for which a link stays in memory
 * without a refresh, this is less than the hour for which the outbox keeps rows: when the primary is back, the tail reads
 * every change that such a link may lack.
 */
export const STANDBY_USABLE_UP_TO_MS = 30 * 60_000;

interface State {
  /** See StandbyAge; null if unknown. */
  ageMs: number | null;
  isPrimaryAvailable: boolean;
  /** Whether the tail knows the changes that the standby may lack. */
  hasCaughtUp: boolean;
}

/** Whether look-ups read the standby first. The primary is read for what it lacks. */
export function usesStandby({ ageMs, isPrimaryAvailable, hasCaughtUp }: State): boolean {
  if (ageMs === null || (isPrimaryAvailable && !hasCaughtUp)) return false;
  return ageMs <= (isPrimaryAvailable ? STANDBY_PREFERRED_UP_TO_MS : STANDBY_USABLE_UP_TO_MS);
}
