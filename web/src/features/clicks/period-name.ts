import type { ClickInterval } from "@tapthru/proto/clicks";
import { LOCALE } from "../../lib/locale-formats.ts";

export const COUNT_PER_PERIOD = {
  hour: (name: string) => `${name} by hour`,
  day: (name: string) => `${name} by day`,
  week: (name: string) => `${name} by week`,
  month: (name: string) => `${name} by month`,
} as const;

const FORMATS: Record<ClickInterval, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat(LOCALE, {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  }),
  day: new Intl.DateTimeFormat(LOCALE, { weekday: "short", month: "short", day: "numeric" }),
  week: new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" }),
  month: new Intl.DateTimeFormat(LOCALE, { month: "long", year: "numeric" }),
};
const SHORT_FORMATS: Record<ClickInterval, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat(LOCALE, { hour: "numeric", minute: "2-digit" }),
  day: new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric" }),
  week: new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", year: "2-digit" }),
  month: new Intl.DateTimeFormat(LOCALE, { month: "short", year: "2-digit" }),
};

/** Names an hour, day, week or month by its start. */
export function periodName(start: string, interval: ClickInterval): string {
  const name = FORMATS[interval].format(new Date(start));
  return interval === "week" ? `Week from ${name}` : name;
}

/** For the axis of a chart. */
export function shortPeriodName(start: string, interval: ClickInterval): string {
  return SHORT_FORMATS[interval].format(new Date(start));
}
