import { useQuery } from "@tanstack/react-query";
import type { ClickReport } from "@tapthru/proto/clicks";
import { CLICK_CLASSES, type ClickClass } from "@tapthru/proto/clicks/keys";
import { openedShare } from "@tapthru/proto/rules/days";
import { Chart, nameByInterval, periodName } from "../../components/ui/chart.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { Details } from "../../components/ui/details.tsx";
import { Change, type Fact, Facts } from "../../components/ui/facts.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { formatClock } from "../../lib/dates.ts";
import { formatNumber, formatOpened, formatShare, LOCALE } from "../../lib/locale-formats.ts";
import { APP_OPENED, CLICK_CLASS_NAMES, VISITORS_NAME } from "../../lib/names.ts";
import { type Comparison, type Period, periodOfBar } from "../../lib/period.ts";
import { type ClickScope, clicksFile, comparedClicksOptions, refreshed } from "./api.ts";
import { ClicksLoaded } from "./clicks-loaded.tsx";

const CLICK_CLASS_TEXTS = {
  preview: "Apps and sites that read the link to show a preview of it.",
  bot: "Search engines, monitors and other programs.",
  prefetch: "Browsers that loaded the link in advance, before any tap.",
  assistant:
    "ChatGPT, Claude, Perplexity and others that read the link for a person. They get the address without the owner's tag, unless the owner allows it.",
} as const;

interface ClickCountsProps {
  scope: ClickScope;
  clickClass?: ClickClass;
  /** Without it, the kinds of clicks are not offered. */
  onClassChange?: (clickClass: ClickClass) => void;
  onPeriod: (bar: Period & Comparison) => void;
  /** Beside the taps. */
  facts?: readonly (Fact | false)[];
}

export function ClickCounts(props: ClickCountsProps) {
  const { scope, clickClass = "person", onClassChange, onPeriod, facts = [] } = props;
  const query = useQuery({ ...comparedClicksOptions(scope), ...refreshed(scope) });
  const { isError, isPlaceholderData } = query;
  const name = CLICK_CLASS_NAMES[clickClass];
  // Without a chart, the counts of a page are as tall as their spinner's place.
  const height = onClassChange ? "min-h-112" : "";
  return (
    <ClicksLoaded query={query}>
      {({ totals, before, nameBefore, series, interval, completeUntil, timeZone }) => (
        <div aria-busy={isPlaceholderData} className={`flex flex-col gap-5 aria-busy:opacity-60 ${height}`}>
          {/* Visitors are an estimate. */}
          <Facts
            look="totals"
            facts={[
              countOf("person", { totals, before, nameBefore }),
              ...facts,
              [
                APP_OPENED,
                formatOpened(totals),
                <Change
                  key=""
                  now={openedShare(totals)}
                  before={openedShare(before)}
                  of={nameBefore}
                  format={formatShare}
                />,
              ],
              countOf("visitors", { totals, before, nameBefore }),
            ]}
          />
          {onClassChange && <Kinds totals={totals} clickClass={clickClass} onChange={onClassChange} />}
          {totals[clickClass] === 0 ? (
            <p className="grid grow place-content-center rounded-xl border border-dashed border-line px-4 py-10 text-center text-pretty text-muted">
              {clickClass === "person"
                ? "No taps in this period. A tap on the short link appears here within seconds."
                : `No ${CLICK_CLASS_NAMES[clickClass].toLowerCase()} in this period.`}
            </p>
          ) : (
            <Chart
              name={name}
              nameBefore={nameBefore}
              interval={interval}
              points={series.map((bar) => ({
                start: bar.start,
                value: bar[clickClass],
                before: bar.before && { start: bar.before.start, value: bar.before[clickClass] },
              }))}
              format={formatNumber}
              onSelect={interval === "hour" ? undefined : (start) => onPeriod(periodOfBar(start, interval))}
            />
          )}
          <div className="flex flex-wrap items-start justify-between gap-x-3 text-sm text-muted">
            <Details summary="Show as a table" openSummary="Hide the table">
              <DataTable
                caption={nameByInterval(name, interval)}
                className="max-h-80"
                rows={series.toReversed()}
                keyOf={({ start }) => start}
                columns={[
                  { name: "Time", cell: ({ start }) => periodName(start, interval) },
                  ...(clickClass === "person" ? TAP_COLUMNS : [clickClass]).map((column) => ({
                    name: COLUMN_NAMES[column],
                    cell: (bar: ClickReport["series"][number]) => formatNumber(bar[column]),
                  })),
                ]}
              />
            </Details>
            {scope.token === undefined && <DownloadButton isLink file={() => clicksFile(scope)} />}
            <div className="basis-full text-pretty">
              <p>
                {`Counted until ${formatClock(completeUntil)} (time zone ${timeZone}). Visitors are an estimate: a person counts once a day, and no person is identified.`}
              </p>
              {isError && <p role="status">The clicks could not be updated. Trying again shortly.</p>}
            </div>
          </div>
        </div>
      )}
    </ClicksLoaded>
  );
}

type Compared = Record<"totals" | "before", ClickReport["totals"]> & { nameBefore: string };

const countOf = (each: "person" | "visitors", { totals, before, nameBefore }: Compared): Fact => [
  COLUMN_NAMES[each],
  formatNumber(totals[each]),
  <Change key={each} now={totals[each]} before={before[each]} of={nameBefore} />,
];

interface KindsProps {
  totals: ClickReport["totals"];
  clickClass: ClickClass;
  onChange: (clickClass: ClickClass) => void;
}

const LIST = new Intl.ListFormat(LOCALE, { type: "disjunction" });

/** A choice of the kinds of clicks that there are. The others are one line. */
function Kinds({ totals, clickClass, onChange }: KindsProps) {
  const isShown = (each: ClickClass) => each === "person" || each === clickClass || totals[each] > 0;
  const shown = CLICK_CLASSES.filter(isShown);
  const absent = CLICK_CLASSES.filter((each) => !isShown(each)).map((each) => CLICK_CLASS_NAMES[each].toLowerCase());
  return (
    <div className="flex flex-col gap-2">
      {shown.length > 1 && (
        <ChoiceBar
          legend="What to count"
          isLegendHidden
          choices={shown.map((each) => [
            each,
            <span key={each}>
              {CLICK_CLASS_NAMES[each]} <span className="tabular-nums">{formatNumber(totals[each])}</span>
            </span>,
          ])}
          value={clickClass}
          onChange={onChange}
        />
      )}
      <p className="text-sm text-pretty text-muted">
        {clickClass !== "person" && CLICK_CLASS_TEXTS[clickClass]}
        {absent.length > 0 && ` No ${LIST.format(absent)} in this period.`}
      </p>
    </div>
  );
}

const TAP_COLUMNS = ["person", "visitors", "opened"] as const;
const COLUMN_NAMES = { ...CLICK_CLASS_NAMES, visitors: VISITORS_NAME, opened: "App openings" } as const;
