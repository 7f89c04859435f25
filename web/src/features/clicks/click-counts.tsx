import { useQuery } from "@tanstack/react-query";
import { CLICK_CLASSES, type ClickClass } from "@tapthru/proto/clicks/keys";
import { messages } from "@tapthru/proto/rules/messages";
import { lazy, Suspense } from "react";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { browserTimeZone, formatClock } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { type ClickScope, comparedClicksOptions } from "./api.ts";
import type { ClickChartProps } from "./click-chart.tsx";
import { ClickTable } from "./click-table.tsx";
import { ClickTotals } from "./click-totals.tsx";
import { ClicksPending } from "./clicks-messages.tsx";
import { CsvButton } from "./csv-button.tsx";

interface ClickCountsProps {
  scope: ClickScope;
  clickClass: ClickClass;
  onClassChange: (clickClass: ClickClass) => void;
}

/** Totals of taps, and a chart with a table of one class. */
export function ClickCounts({ scope, clickClass, onClassChange }: ClickCountsProps) {
  const query = useQuery(comparedClicksOptions(scope));
  const { data, isError, isPlaceholderData } = query;
  if (!data) return <ClicksPending query={query} />;

  const { totals, before, series, interval, completeUntil, timeZone } = data;
  const name = messages.clickClasses[clickClass];
  return (
    <div
      aria-busy={isPlaceholderData}
      className={`flex flex-col gap-6 ${isPlaceholderData ? "opacity-60" : ""}`}
    >
      <ClickTotals totals={totals} before={before} />
      <div>
        <ChoiceBar
          legend={messages.clickKind}
          choices={CLICK_CLASSES.map((each) => [
            each,
            <span key={each}>
              {messages.clickClasses[each]}{" "}
              <span className="tabular-nums">{formatNumber(totals[each])}</span>
            </span>,
          ])}
          value={clickClass}
          onChange={onClassChange}
        />
        <p className="mt-2 text-sm text-pretty text-muted">
          {messages.clickClassTexts[clickClass]}
        </p>
      </div>
      {totals[clickClass] === 0 ? (
        <p className="rounded-xl border border-dashed border-line px-4 py-10 text-center text-pretty text-muted">
          {clickClass === "person" ? messages.noTapsYet : messages.noClicks}
        </p>
      ) : (
        <LazyChart
          name={name}
          interval={interval}
          points={series.map((period) => ({ start: period.start, count: period[clickClass] }))}
        />
      )}
      <ClickTable name={name} interval={interval} clickClass={clickClass} series={series} />
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
        <div className="min-w-0 flex-1 basis-60 text-pretty">
          <p>{messages.countedUntil(formatClock(completeUntil), timeZone)}</p>
          {timeZone === "UTC" && browserTimeZone() !== "UTC" && (
            <p>{messages.timeZoneUnknown(browserTimeZone())}</p>
          )}
          <p>{messages.aboutVisitors}</p>
          {isError && <p role="status">{messages.clicksNotUpdated}</p>}
        </div>
        <CsvButton scope={scope} />
      </div>
    </div>
  );
}

const loadChart = () => import("./click-chart.tsx");

/** The table beside the chart has the same numbers. */
function ChartFailed() {
  return <p className="min-h-64 text-sm text-muted">{messages.chartFailed}</p>;
}

const Chart = lazy(() =>
  loadChart().then(
    ({ ClickChart }) => ({ default: ClickChart }),
    () => ({ default: ChartFailed }),
  ),
);

/** The chart, with its library, which loads when it is first shown. */
function LazyChart(props: ClickChartProps) {
  return (
    <Suspense fallback={<div className="min-h-64" />}>
      <Chart {...props} />
    </Suspense>
  );
}
