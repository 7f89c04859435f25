import { useQuery } from "@tanstack/react-query";
import type { ClickInterval } from "@tapthru/proto/clicks";
import type { EarningsRow, EarningsTable } from "@tapthru/proto/earnings";
import { formatMoney } from "@tapthru/proto/rules/money";
import { useState } from "react";
import * as z from "zod/mini";
import { Chart } from "../../components/ui/chart.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { HeadSelect } from "../../components/ui/select-field.tsx";
import { formatDays } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";
import { type Comparison, intervalFor, type Period, periodOfBar, plusDays } from "../../lib/period.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { useChannels } from "../channels/index.ts";
import { dailyEarningsOptions, dailyRows } from "./api.ts";

const INTERVALS = ["day", "week", "month"] as const;

/** In the URL. Empty: bars that fit the period, of all channels. */
const ChartView = z.object({
  interval: z.catch(z.enum(["", ...INTERVALS]), ""),
  channel: z.catch(z.string().check(z.regex(/^\d{1,9}$/)), ""),
});

interface EarningsChartProps {
  scope: Parameters<typeof dailyEarningsOptions>[0];
  onPeriod: (bar: Period & Comparison) => void;
}

export function EarningsChart({ scope, onPeriod }: EarningsChartProps) {
  const [view, change] = useUrlState(ChartView);
  const [chosen, setChosen] = useState<string>();
  const channels = useChannels();
  const query = useQuery(dailyEarningsOptions(scope, view.channel));
  const { data } = query;
  // A currency without a rate has its own chart, as all others then.
  const sums = data?.totals.sums.map((each) => each.currency) ?? [];
  const sum = data?.totals.earnings === null && sums.length > 1 ? null : (data?.currency ?? null);
  const currencies = sum === null ? sums : [sum];
  const currency = currencies.find((each) => each === chosen) ?? currencies[0];
  if (data && currency === undefined && view.channel === "") return null;
  const fitting = intervalFor(data ? dailyRows(data).length : 0);
  const interval = view.interval || (fitting === "hour" ? "day" : fitting);
  const chart = (
    table: EarningsTable,
    name: string,
    amountOf: (row: EarningsRow | undefined) => number | null,
    format: typeof formatNumber,
  ) => {
    const points = pointsOf(table, interval, amountOf);
    if (points.every(({ value }) => value === null)) return null;
    const befores = table.before ? pointsOf(table.before, interval, amountOf) : [];
    return (
      <div>
        <h3 className="mb-2 font-medium">{name}</h3>
        <Chart
          name={name}
          nameBefore={table.before && formatDays(table.before.from, table.before.to)}
          interval={interval}
          points={points.map((point, index) => ({ ...point, before: befores[index] }))}
          format={format}
          onSelect={(start) => onPeriod(periodOfBar(start, interval))}
        />
      </div>
    );
  };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <HeadSelect
          label="Bars"
          value={interval}
          options={INTERVALS.map((each) => [each, `By ${each}`])}
          onSelect={(each) => change({ interval: each })}
        />
        {channels.length > 1 && (
          <HeadSelect
            label="Channel"
            value={view.channel}
            options={[["", "All channels"], ...channels.map(({ id, name }) => [String(id), name] as const)]}
            onSelect={(channel) => change({ channel })}
          />
        )}
        {currencies.length > 1 && currency !== undefined && (
          <HeadSelect
            label="Currency"
            value={currency}
            options={currencies.map((each) => [each, `In ${each}`])}
            onSelect={setChosen}
          />
        )}
      </div>
      <Loaded data={data} query={query} place="chart" failed="The chart could not be loaded.">
        {(table) => (
          <div className="grid gap-5 *:min-w-0 lg:grid-cols-2">
            {currency !== undefined &&
              chart(
                table,
                "Earnings",
                (row) => (sum === null ? row?.sums.find((each) => each.currency === currency) : row)?.earnings ?? null,
                (amount) => formatMoney(amount, currency),
              )}
            {chart(table, CLICK_CLASS_NAMES.person, (row) => row?.people ?? 0, formatNumber)}
          </div>
        )}
      </Loaded>
    </>
  );
}

/** The sums of days, weeks or months. Null: no day has a value. */
function pointsOf(
  table: Pick<EarningsTable, "from" | "to" | "rows">,
  interval: ClickInterval,
  amountOf: (row: EarningsRow | undefined) => number | null,
) {
  const sums = new Map<string, number | null>();
  for (const { day, row } of dailyRows(table)) {
    const start = startOf(day, interval);
    const value = amountOf(row);
    const sum = sums.get(start) ?? null;
    sums.set(start, value === null ? sum : value + (sum ?? 0));
  }
  return [...sums].map(([start, value]) => ({ start, value }));
}

/** The start of the day, of its week or of its month, in the time zone of the browser. */
function startOf(day: Date, interval: ClickInterval): string {
  const daysAfter = interval === "week" ? (day.getDay() + 6) % 7 : interval === "month" ? day.getDate() - 1 : 0;
  return plusDays(day, -daysAfter).toISOString();
}
