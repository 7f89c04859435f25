import type { ClickInterval } from "@tapthru/proto/clicks";
import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";

export const PERIODS = ["24h", "7d", "30d", "90d", "custom"] as const;

/** The last hours or days, or days such as 2026-11-21, both included. */
export type Period =
  | { kind: Exclude<(typeof PERIODS)[number], "custom"> }
  | { kind: "custom"; from: string; to: string };

export interface PeriodBounds {
  from: Date;
  /** Not included. */
  to: Date;
  interval: ClickInterval;
}

const HOUR_MS = 3_600_000;
const DAYS = { "7d": 7, "30d": 30, "90d": 90 } as const;

/** In the time zone of the browser. */
export function periodBounds(period: Period, now: Date): PeriodBounds {
  if (period.kind === "24h") {
    const hour = new Date(now);
    hour.setMinutes(0, 0, 0);
    return { from: after(hour, -23), to: after(hour, 1), interval: "hour" };
  }
  if (period.kind !== "custom") {
    const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
    return {
      from: plusDays(today, 1 - DAYS[period.kind]),
      to: plusDays(today, 1),
      interval: "day",
    };
  }
  const from = startOfDay(period.from);
  const last = startOfDay(period.to);
  return { from, to: plusDays(last, 1), interval: intervalFor(daysBetween(from, last) + 1) };
}

/** The preceding period of the same length, only up to the point that this period has reached. */
export function previousPeriodBounds(period: Period, now: Date): PeriodBounds {
  const { from, to, interval } = periodBounds(period, now);
  const end = new Date(Math.min(to.getTime(), Math.max(now.getTime(), from.getTime() + HOUR_MS)));
  const days = daysBetween(from, to);
  return { from: plusDays(from, -days), to: plusDays(end, -days), interval };
}

const DEFAULT_KIND = "30d";
const Kind = z.catch(z.enum(PERIODS), DEFAULT_KIND);
const Day = z.catch(z.iso.date(), "");

/** The period in the URL of a page. */
export function readPeriod(params: URLSearchParams): Period {
  const kind = z.parse(Kind, params.get("period"));
  if (kind !== "custom") return { kind };
  const from = z.parse(Day, params.get("from"));
  const to = z.parse(Day, params.get("to"));
  const isValid = from !== "" && to !== "" && periodProblem(from, to) === null;
  return isValid ? { kind, from, to } : { kind: DEFAULT_KIND };
}

/** The parameters of a URL from which `readPeriod` reads the period. */
export function periodParameters({ kind, ...days }: Period): Record<string, string> {
  return { ...(kind !== DEFAULT_KIND && { period: kind }), ...days };
}

export type PeriodProblem = "order" | "length";

/** Null if the api accepts the days. */
export function periodProblem(from: string, to: string): PeriodProblem | null {
  if (from > to) return "order";
  return daysBetween(startOfDay(from), startOfDay(to)) + 1 > CLICKS_MAX_DAYS ? "length" : null;
}

const MAX_HOURLY_DAYS = 2;
const MAX_DAILY_DAYS = 100;
const MAX_WEEKLY_DAYS = 400;

/** At most about a hundred bars. */
function intervalFor(days: number): ClickInterval {
  if (days <= MAX_HOURLY_DAYS) return "hour";
  if (days <= MAX_DAILY_DAYS) return "day";
  return days <= MAX_WEEKLY_DAYS ? "week" : "month";
}

/** Midnight in the time zone of the browser. */
function startOfDay(day: string): Date {
  return new Date(`${day}T00:00`);
}

function after(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * HOUR_MS);
}

/** Keeps the time of day when the clocks change. */
function plusDays(time: Date, days: number): Date {
  const result = new Date(time);
  result.setDate(result.getDate() + days);
  return result;
}

/** Whole days; days on which the clocks change have 23 or 25 hours. */
function daysBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / (24 * HOUR_MS));
}
