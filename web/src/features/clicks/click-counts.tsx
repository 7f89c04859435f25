import { useQuery } from "@tanstack/react-query";
import { CLICK_CLASSES, type ClickClass } from "@tapthru/proto/clicks/keys";
import { lazy, Suspense } from "react";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { browserTimeZone, formatClock } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";
import { type ClickScope, comparedClicksOptions } from "./api.ts";
import type { ClickChartProps } from "./click-chart.tsx";
import { ClickTable } from "./click-table.tsx";
import { ClickTotals } from "./click-totals.tsx";
import { ClicksPending } from "./clicks-messages.tsx";
import { CsvButton } from "./csv-button.tsx";

const CLICK_CLASS_TEXTS = {
  person: "Each tap of a person counts. Previews, bots and prefetches are never among them.",
  preview: "Apps and sites that read the link to show a preview of it.",
  bot: "Search engines, monitors and other programs.",
  prefetch: "Browsers that loaded the link in advance, before any tap.",
  assistant:
    "ChatGPT, Claude, Perplexity and others that read the link for a person. They get the address without your tag, unless you allow it.",
} as const;

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
  const name = CLICK_CLASS_NAMES[clickClass];
  return (
    <div aria-busy={isPlaceholderData} className={`flex flex-col gap-6 ${isPlaceholderData ? "opacity-60" : ""}`}>
      <ClickTotals totals={totals} before={before} />
      <div>
        <ChoiceBar
          legend="Kind of click"
          choices={CLICK_CLASSES.map((each) => [
            each,
            <span key={each}>
              {CLICK_CLASS_NAMES[each]} <span className="tabular-nums">{formatNumber(totals[each])}</span>
            </span>,
          ])}
          value={clickClass}
          onChange={onClassChange}
        />
        <p className="mt-2 text-sm text-pretty text-muted">{CLICK_CLASS_TEXTS[clickClass]}</p>
      </div>
      {totals[clickClass] === 0 ? (
        <p className="rounded-xl border border-dashed border-line px-4 py-10 text-center text-pretty text-muted">
          {clickClass === "person"
            ? "No taps in this period. A tap on your short link appears here within seconds."
            : "No clicks in this period."}
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
          <p>{`Counted until ${formatClock(completeUntil)} (time zone ${timeZone}).`}</p>
          {timeZone === "UTC" && browserTimeZone() !== "UTC" && (
            <p>{`Days are those of UTC, because your browser's time zone (${browserTimeZone()}) is unknown.`}</p>
          )}
          <p>Visitors are an estimate: a person counts once a day, and no person is identified.</p>
          {isError && <p role="status">The clicks could not be updated. Trying again shortly.</p>}
        </div>
        <CsvButton scope={scope} />
      </div>
    </div>
  );
}

const loadChart = () => import("./click-chart.tsx");

/** The table beside the chart has the same numbers. */
function ChartFailed() {
  return <p className="min-h-64 text-sm text-muted">The chart could not be loaded. The table has the same numbers.</p>;
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
