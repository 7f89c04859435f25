/**
 * Clicks are counted by quarter-hour, because the days of every current time zone start at one: Nepal is at +5:45.
 * A quarter is the number of quarter-hours since 1970 in UTC.
 */
export const QUARTER_MS = 15 * 60 * 1_000;
export const QUARTERS_PER_DAY = 96;

/** @param time Unix milliseconds */
export function quarterAt(time: number): number {
  return Math.floor(time / QUARTER_MS);
}

/** Unix milliseconds. */
export function quarterStart(quarter: number): number {
  return quarter * QUARTER_MS;
}

/** The first quarter of a day such as 2026-11-21, in UTC. */
export function firstQuarterOf(day: string): number {
  return quarterAt(Date.parse(`${day}T00:00:00Z`));
}

/** The day of a quarter in UTC, such as 2026-11-21. */
export function dayOf(quarter: number): string {
  return new Date(quarterStart(quarter)).toISOString().slice(0, 10);
}
