import { useQuery } from "@tanstack/react-query";
import type { ClickInterval } from "@tapthru/proto/clicks";
import type { EarningsTable } from "@tapthru/proto/earnings";
import { formatMoney } from "@tapthru/proto/rules/money";
import { Chart } from "../../components/ui/chart.tsx";
import { dayOf } from "../../lib/dates.ts";
import { daysBetween, intervalFor, type Period, plusDays, startOfDay } from "../../lib/period.ts";
import { dailyEarningsOptions } from "./api.ts";

/** Earnings over time, if they have one currency. */
export function EarningsChart({ period }: { period: Period }) {
  const { data, isPending } = useQuery(dailyEarningsOptions(period));
  if (isPending) return <div className="min-h-64" />;
  if (!data) return <p role="alert">The chart could not be loaded.</p>;
  const { currency } = data;
  if (currency === null) return null;
  const { interval, points } = pointsOf(data);
  if (points.every(({ value }) => value === null)) return null;
  return (
    <Chart name="Earnings" interval={interval} points={points} format={(amount) => formatMoney(amount, currency)} />
  );
}

/** The sums of days, or of weeks or months of a long period. Null: no report has earnings. */
function pointsOf({ from, to, currency, rows }: EarningsTable) {
  const [first, last] = [startOfDay(from), startOfDay(to)];
  const dayCount = daysBetween(first, last) + 1;
  const byInterval = intervalFor(dayCount);
  const interval = byInterval === "hour" ? "day" : byInterval;
  const earned = new Map(rows.map((row) => [row.key, row.currency === currency ? row.earnings : null]));
  const sums = new Map<string, number | null>();
  for (let index = 0; index < dayCount; index += 1) {
    const day = plusDays(first, index);
    const start = startOf(day, interval);
    const amount = earned.get(dayOf(day)) ?? null;
    const sum = sums.get(start) ?? null;
    sums.set(start, amount === null ? sum : amount + (sum ?? 0));
  }
  return { interval, points: [...sums].map(([start, value]) => ({ start, value })) };
}

/** The start of the day, of its week or of its month, in the time zone of the browser. */
function startOf(day: Date, interval: ClickInterval): string {
  const daysAfter = interval === "week" ? (day.getDay() + 6) % 7 : interval === "month" ? day.getDate() - 1 : 0;
  return plusDays(day, -daysAfter).toISOString();
}
