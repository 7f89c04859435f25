import { useQuery } from "@tanstack/react-query";
import type { ClickInterval, ClickReport } from "@tapthru/proto/clicks";
import { CLICK_CLASSES, type ClickClass } from "@tapthru/proto/clicks/keys";
import { Chart, nameByInterval, periodName } from "../../components/ui/chart.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { Details } from "../../components/ui/details.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { browserTimeZone, formatClock } from "../../lib/dates.ts";
import { formatChange, formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES, VISITORS_NAME } from "../../lib/names.ts";
import { type ClickScope, clicksFile, comparedClicksOptions } from "./api.ts";
import { ClicksLoaded } from "./clicks-loaded.tsx";

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
  const { isError, isPlaceholderData } = query;
  const name = CLICK_CLASS_NAMES[clickClass];
  return (
    <ClicksLoaded query={query}>
      {({ totals, before, series, interval, completeUntil, timeZone }) => (
        <div aria-busy={isPlaceholderData} className="flex flex-col gap-6 aria-busy:opacity-60">
          {/* Visitors are an estimate. */}
          <Facts
            look="totals"
            facts={[
              [CLICK_CLASS_NAMES.person, formatNumber(totals.person), comparison(totals.person, before.person)],
              [COLUMN_NAMES.visitors, formatNumber(totals.visitors)],
              [COLUMN_NAMES.opened, formatNumber(totals.opened)],
            ]}
          />
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
            <Chart
              name={name}
              interval={interval}
              points={series.map((period) => ({ start: period.start, value: period[clickClass] }))}
              format={formatNumber}
            />
          )}
          <Details summary="Show as a table" openSummary="Hide the table">
            <SeriesTable
              name={nameByInterval(name, interval)}
              interval={interval}
              clickClass={clickClass}
              series={series}
            />
          </Details>
          <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
            <div className="min-w-0 flex-1 basis-60 text-pretty">
              <p>{`Counted until ${formatClock(completeUntil)} (time zone ${timeZone}).`}</p>
              {timeZone === "UTC" && browserTimeZone() !== "UTC" && (
                <p>{`Days are those of UTC, because your browser's time zone (${browserTimeZone()}) is unknown.`}</p>
              )}
              <p>Visitors are an estimate: a person counts once a day, and no person is identified.</p>
              {isError && <p role="status">The clicks could not be updated. Trying again shortly.</p>}
            </div>
            <DownloadButton file={() => clicksFile(scope)} />
          </div>
        </div>
      )}
    </ClicksLoaded>
  );
}

function comparison(now: number, before: number): string {
  if (before === 0) return "None in the previous period";
  if (now === before) return "As many as in the previous period";
  return `${formatChange(now / before - 1)} compared with the previous period`;
}

interface SeriesTableProps {
  name: string;
  interval: ClickInterval;
  clickClass: ClickClass;
  series: ClickReport["series"];
}

/** The numbers of the chart, newest first. */
function SeriesTable({ name, interval, clickClass, series }: SeriesTableProps) {
  const columns = clickClass === "person" ? TAP_COLUMNS : [clickClass];
  return (
    <DataTable
      caption={name}
      className="max-h-80"
      rows={series.toReversed()}
      keyOf={({ start }) => start}
      columns={[
        { name: "Time", cell: ({ start }) => periodName(start, interval) },
        ...columns.map((column) => ({
          name: COLUMN_NAMES[column],
          cell: (period: ClickReport["series"][number]) => formatNumber(period[column]),
        })),
      ]}
    />
  );
}

const TAP_COLUMNS = ["person", "visitors", "opened"] as const;
const COLUMN_NAMES = { ...CLICK_CLASS_NAMES, visitors: VISITORS_NAME, opened: "App openings" } as const;
