import { LOCALE } from "./locale-formats.ts";

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" });
const DAY_OF_YEAR = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric" });
const LONG_DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "long" });
const MINUTE = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const SECOND = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "medium" });
const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: "medium" });
const UTC_MONTH = new Intl.DateTimeFormat(LOCALE, { month: "long", timeZone: "UTC" });
const UTC_DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" });

const formatterOf = (format: Intl.DateTimeFormat) => (iso: string) => format.format(new Date(iso));

export const formatDay = formatterOf(DAY);
export const formatLongDay = formatterOf(LONG_DAY);
export const formatMinute = formatterOf(MINUTE);
export const formatSecond = formatterOf(SECOND);
export const formatClock = formatterOf(CLOCK);
/** For days such as "2026-11-22". */
export const formatUtcDay = formatterOf(UTC_DAY);
export const formatUtcMonth = formatterOf(UTC_MONTH);

/** For the days of a period in short, such as "Nov 1 – 22", "Nov" for a whole month, or "Nov 22" for one day. */
export function formatDays(first: string, last: string): string {
  const [from, to] = [new Date(first), new Date(last)];
  const year = from.getUTCFullYear() === new Date().getFullYear() ? {} : ({ year: "numeric" } as const);
  const isMonth =
    from.getUTCDate() === 1 && Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 0) === to.getTime();
  const day = isMonth ? {} : ({ day: "numeric" } as const);
  return new Intl.DateTimeFormat(LOCALE, { month: "short", ...day, ...year, timeZone: "UTC" }).formatRange(from, to);
}

/** For the days of a period, such as "2026-11-01" and "2026-11-22". */
export function formatUtcDays(first: string, last: string): string {
  return UTC_DAY.formatRange(new Date(first), new Date(last));
}

/** Without the year if it is the current one. */
export function formatShortDay(iso: string): string {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return (isThisYear ? DAY_OF_YEAR : DAY).format(date);
}

/** When something expires: "at the end of Nov 22, 2026", or the time if that is another one in the browser's time zone. */
export function formatEnd(iso: string, formatDayOfEnd = formatDay): string {
  const isEndOfDay =
    endOfDay(dayOf(new Date(iso))) === new Date(1_000 * Math.floor(Date.parse(iso) / 1_000)).toISOString();
  return isEndOfDay ? `at the end of ${formatDayOfEnd(iso)}` : formatMinute(iso);
}

/** Returns true if an expiry has been reached. Null never is. */
export function hasPassed(iso: string | null): boolean {
  return iso !== null && Date.parse(iso) <= Date.now();
}

/** A name such as Europe/Berlin; some systems give others. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Such as 2026-11-21, in the browser's time zone. */
export function dayOf(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/** Such as 2026-11-21T09:30, in the browser's time zone. */
export function minuteOf(date: Date): string {
  const parts = [date.getHours(), date.getMinutes()];
  return `${dayOf(date)}T${parts.map((part) => String(part).padStart(2, "0")).join(":")}`;
}

/** In ISO 8601; empty if it is not a time. @param minute in the browser's time zone */
export function instantOf(minute: string): string {
  const instant = new Date(minute);
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
}

/** The last second of a day in the browser's time zone; empty if it is not a date. */
export function endOfDay(day: string): string {
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? "" : end.toISOString();
}
