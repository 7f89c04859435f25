import type { ClickInterval, ClickQuery } from "@tapthru/proto/clicks";
import { QUARTER_MS } from "@tapthru/proto/clicks/quarters";
import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import { Temporal } from "temporal-polyfill";

const DEFAULT_DAYS = 30;
const MAX_PERIODS = 3_000;
const DAY_MS = 86_400_000;

export interface ClickRange {
  /** Unix milliseconds, at the start of a quarter-hour; `to` is not included. */
  from: number;
  to: number;
  /** Starts of the hours, days, weeks or months in the range; the first may be before `from`. */
  starts: number[];
}

/** @returns null if the range is empty, longer than 800 days, or has more than 3,000 periods */
export function clickRange({ from, to, tz, interval }: ClickQuery, now: number): ClickRange | null {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(tz).startOfDay();
  const end = to === undefined ? endOfDay(today) : instantOf(to, tz, endOfDay);
  const lastDay = Temporal.Instant.fromEpochMilliseconds(end - 1).toZonedDateTimeISO(tz);
  const start =
    from === undefined
      ? lastDay.subtract({ days: DEFAULT_DAYS - 1 }).startOfDay().epochMilliseconds
      : instantOf(from, tz, (day) => day.epochMilliseconds);
  if (start >= end || end - start > CLICKS_MAX_DAYS * DAY_MS) return null;
  const starts = periodStarts({ from: start, to: end, tz, interval });
  return starts === null ? null : { from: start, to: end, starts };
}

export function recentRange(tz: string): ClickRange {
  const today = Temporal.Now.zonedDateTimeISO(tz).startOfDay();
  const from = today.subtract({ days: DEFAULT_DAYS - 1 }).startOfDay().epochMilliseconds;
  const to = endOfDay(today);
  return { from, to, starts: periodStarts({ from, to, tz, interval: "day" }) ?? [] };
}

function endOfDay(day: Temporal.ZonedDateTime): number {
  return day.add({ days: 1 }).startOfDay().epochMilliseconds;
}

function instantOf(text: string, tz: string, ofDay: (day: Temporal.ZonedDateTime) => number): number {
  if (!text.includes("T")) return ofDay(Temporal.PlainDate.from(text).toZonedDateTime(tz));
  return Math.floor(Date.parse(text) / QUARTER_MS) * QUARTER_MS;
}

function periodStarts(range: { from: number; to: number; tz: string; interval: ClickInterval }): number[] | null {
  const { from, to, tz, interval } = range;
  const first = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(tz);
  const starts: number[] = [];
  let start = startOf(first, interval);
  while (start.epochMilliseconds < to) {
    if (starts.length === MAX_PERIODS) return null;
    starts.push(start.epochMilliseconds);
    start = nextStart(start, interval);
  }
  return starts;
}

function startOf(time: Temporal.ZonedDateTime, interval: ClickInterval): Temporal.ZonedDateTime {
  switch (interval) {
    case "hour":
      return time.round({ smallestUnit: "hour", roundingMode: "floor" });
    case "day":
      return time.startOfDay();
    case "week":
      return time.subtract({ days: time.dayOfWeek - 1 }).startOfDay();
    case "month":
      return time.with({ day: 1 }).startOfDay();
  }
}

/** The clock of Lord Howe Island moves by half an hour, so an hour may end before or after 60 minutes. */
function nextStart(start: Temporal.ZonedDateTime, interval: ClickInterval): Temporal.ZonedDateTime {
  if (interval !== "hour") return start.add({ [`${interval}s`]: 1 }).startOfDay();
  const later = start.add({ hours: 1 });
  const next = startOf(later, interval);
  return next.epochMilliseconds > start.epochMilliseconds ? next : later;
}
