const DAY_MS = 24 * 60 * 60 * 1_000;

// A month is represented by its first day in UTC, such as 2026-11-01.

/** @param time Unix milliseconds */
export function monthOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 7)}-01`;
}

export function addMonths(month: string, count: number): string {
  const start = new Date(month);
  return monthOf(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + count));
}

/** Whether the month ended at least this many days before `now`. */
export function isMonthOver(month: string, days: number, now: number): boolean {
  return Date.parse(addMonths(month, 1)) + days * DAY_MS <= now;
}
