import type { ClickInterval } from "@tapthru/proto/http/clicks";
import { messages } from "@tapthru/proto/rules/messages";
import { LOCALE } from "../../lib/locale-formats.ts";

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
  return interval === "week" ? messages.weekFrom(name) : name;
}

/** For the axis of a chart. */
export function shortPeriodName(start: string, interval: ClickInterval): string {
  return SHORT_FORMATS[interval].format(new Date(start));
}
