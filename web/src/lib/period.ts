import type { ClickInterval } from "@tapthru/proto/clicks";
import { type Comparison as Against, daysBefore } from "@tapthru/proto/rules/days";
import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { dayOf } from "./dates.ts";

/** The periods of reports, which have no hours. */
export const DAY_PERIODS = ["7d", "30d", "90d", "month", "last-month", "custom"] as const;
export const PERIODS = ["24h", ...DAY_PERIODS] as const;

export const DEFAULT_PERIOD = { period: "30d", from: "", to: "" } as const;
const Day = z.catch(z.iso.date(), "");

/** With what a period is compared: the one before, the same days a month or a year before, or chosen days. */
const COMPARISONS = ["before", "month", "year", "custom"] as const;
export const COMPARED_WITH_BEFORE = { against: "before", since: "", until: "" } as const;

/**
 * In the URL of a page: the last hours or days, a calendar month, or days such as 2026-11-21, both included. `since` and
 * `until`: the chosen days of a comparison.
 */
export const PERIOD_FIELDS = {
  against: z.catch(z.enum(COMPARISONS), "before"),
  since: Day,
  until: Day,
  period: z.catch(z.enum(PERIODS), DEFAULT_PERIOD.period),
  from: Day,
  to: Day,
};

export interface Comparison {
  against: (typeof COMPARISONS)[number];
  /** Empty unless days are chosen. */
  since: string;
  until: string;
}

export interface Period {
  period: (typeof PERIODS)[number];
  /** Empty unless the period is custom. */
  from: string;
  to: string;
}

/** The period of a view. The default one if its days are invalid, or if the page does not offer it. */
export function periodOf({ period, from, to }: Period, kinds: readonly Period["period"][] = PERIODS): Period {
  if (!kinds.includes(period)) return DEFAULT_PERIOD;
  if (period !== "custom") return { ...DEFAULT_PERIOD, period };
  return from !== "" && to !== "" && periodProblem(from, to) === null ? { period, from, to } : DEFAULT_PERIOD;
}

/** The period of a bar of a chart, with the change of what it is compared with. */
export function periodOfBar(start: string, interval: ClickInterval): Period & Comparison {
  const day = new Date(start);
  const ends = { hour: day, day, week: plusDays(day, 6), month: plusDays(plusMonths(day, 1), -1) };
  const against = interval === "month" ? interval : COMPARED_WITH_BEFORE.against;
  return { ...COMPARED_WITH_BEFORE, against, period: "custom", from: dayOf(day), to: dayOf(ends[interval]) };
}

export const comparisonOf = ({ against, since, until }: Comparison): Comparison => ({ against, since, until });

export interface PeriodBounds {
  from: Date;
  /** Not included. */
  to: Date;
  interval: ClickInterval;
}

const HOUR_MS = 3_600_000;
const DAYS = { "7d": 7, "30d": 30, "90d": 90 } as const;

/** In the time zone of the browser. */
export function periodBounds({ period, ...days }: Period, now: Date): PeriodBounds {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const firstOfMonth = new Date(now.getFullYear(), now.getMonth(), 1);
  switch (period) {
    case "24h": {
      const hour = new Date(now);
      hour.setMinutes(0, 0, 0);
      return { from: after(hour, -23), to: after(hour, 1), interval: "hour" };
    }
    case "custom": {
      const from = startOfDay(days.from);
      const last = startOfDay(days.to);
      return { from, to: plusDays(last, 1), interval: intervalFor(daysBetween(from, last) + 1) };
    }
    case "month":
      return { from: firstOfMonth, to: plusDays(today, 1), interval: "day" };
    case "last-month":
      return { from: plusMonths(firstOfMonth, -1), to: firstOfMonth, interval: "day" };
    default:
      return { from: plusDays(today, 1 - DAYS[period]), to: plusDays(today, 1), interval: "day" };
  }
}

/** With what a period is compared, as the api is asked: chosen days, or as many days before. The period before a month is a month. */
export function comparedWith(
  { period }: Period,
  { against, since, until }: Comparison,
): { against: Against } | { since: string; until: string } {
  if (against === "custom" && since !== "" && until !== "" && periodProblem(since, until) === null)
    return { since, until };
  if (against === "month" || against === "year") return { against };
  return { against: period === "month" || period === "last-month" ? "month" : "days" };
}

/** The bounds with which a period is compared. Except chosen days, only up to the same time as now. */
export function comparedBounds(period: Period, comparison: Comparison, now: Date): PeriodBounds {
  const { from, to, interval } = periodBounds(period, now);
  const compared = comparedWith(period, comparison);
  if ("since" in compared) {
    return { ...periodBounds({ period: "custom", from: compared.since, to: compared.until }, now), interval };
  }
  const before = (first: Date, last: Date) => daysBefore({ from: dayOf(first), to: dayOf(last) }, compared.against);
  // Hours have no days of their own.
  const shifted = (time: Date) => atTimeOf(time, before(time, time).from);
  if (period.period === "24h") return { from: shifted(from), to: shifted(now), interval };
  const days = before(from, plusDays(to, -1));
  const [start, end] = [startOfDay(days.from), plusDays(startOfDay(days.to), 1)];
  const reached = atTimeOf(now, dayOf(plusDays(start, Math.max(0, daysBetween(from, startOfDay(dayOf(now)))))));
  return { from: start, to: to <= now || end < reached ? end : reached, interval };
}

function atTimeOf(time: Date, day: string): Date {
  const result = startOfDay(day);
  result.setHours(time.getHours(), time.getMinutes(), time.getSeconds(), time.getMilliseconds());
  return result;
}

export type PeriodProblem = "order" | "length";

/** Returns null if the api accepts the days. */
export function periodProblem(from: string, to: string): PeriodProblem | null {
  if (from > to) return "order";
  return daysBetween(startOfDay(from), startOfDay(to)) + 1 > CLICKS_MAX_DAYS ? "length" : null;
}

const MAX_HOURLY_DAYS = 2;
const MAX_DAILY_DAYS = 100;
const MAX_WEEKLY_DAYS = 400;

/** At most about a hundred bars. */
export function intervalFor(days: number): ClickInterval {
  if (days <= MAX_HOURLY_DAYS) return "hour";
  if (days <= MAX_DAILY_DAYS) return "day";
  return days <= MAX_WEEKLY_DAYS ? "week" : "month";
}

/** Midnight in the time zone of the browser. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00`);
}

function after(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * HOUR_MS);
}

/** Keeps the time of day when the clocks change. */
export function plusDays(time: Date, days: number): Date {
  const result = new Date(time);
  result.setDate(result.getDate() + days);
  return result;
}

function plusMonths(time: Date, months: number): Date {
  const result = new Date(time);
  result.setMonth(result.getMonth() + months);
  return result;
}

/** Whole days; days on which the clocks change have 23 or 25 hours. */
export function daysBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / (24 * HOUR_MS));
}
