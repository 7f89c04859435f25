import { useQuery } from "@tanstack/react-query";
import { EARNINGS_GROUPS, type EarningsGroup, EarningsOrder, type EarningsTable } from "@tapthru/proto/earnings";
import { FileUp } from "lucide-react";
import { useRef } from "react";
import * as z from "zod/mini";
import { PeriodChoice } from "../../components/period-choice.tsx";
import { buttonClass, textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { HeadSelect } from "../../components/ui/select-field.tsx";
import { Can } from "../../kit/can.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { dayOf, formatDays } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import {
  comparisonOf,
  DAY_PERIODS,
  DEFAULT_PERIOD,
  PERIOD_FIELDS,
  PERIODS,
  type Period,
  periodBounds,
  periodOf,
  periodOfBar,
} from "../../lib/period.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { earningsFile, earningsOptions, reportedUntilOptions, type TableScope } from "./api.ts";
import { EarningsChart } from "./earnings-chart.tsx";
import { EARNINGS_GROUP_NAMES, EarningsRows } from "./earnings-table.tsx";
import { areReported, DAYS_OF_AMAZON, DaysNote, EarningsTotals, isConverted } from "./figures.tsx";
import { ImportReportsLink, MissingReports } from "./import-reports.tsx";
import { RateChanges } from "./rate-changes.tsx";
import { Rates } from "./rates-form.tsx";
import { UnlinkedProducts } from "./unlinked-products.tsx";

/** In the URL. Without a period the page shows the last month that reports have. */
const EarningsView = z.object({
  ...PERIOD_FIELDS,
  period: z.catch(z.enum(["reported", ...PERIODS]), "reported"),
  by: z.catch(z.enum(EARNINGS_GROUPS), "link"),
  /** Empty: the usual order. */
  sort: z.catch(z.union([EarningsOrder, z.literal("")]), ""),
});

const FAILED = "The earnings could not be loaded.";

export function Earnings() {
  const query = useQuery(reportedUntilOptions);
  return (
    <Loaded place="page" data={query.data} query={query} failed={FAILED}>
      {(until) => (
        <>
          {until === null ? (
            <EmptyState icon={<FileUp aria-hidden className="size-8" />}>
              <Can call="POST /api/earnings/imports" what="import Amazon's reports">
                <p className="max-w-md leading-6 text-pretty">
                  In Amazon's Associates Central, open Reports and download them as a ZIP or CSV. Import the file here
                  as it is, and see what each link earned.
                </p>
                <ImportReportsLink className={buttonClass()} />
              </Can>
            </EmptyState>
          ) : (
            <ReportedEarnings until={until} />
          )}
        </>
      )}
    </Loaded>
  );
}

/** @param until the last day of the reports */
function ReportedEarnings({ until }: { until: string }) {
  const [{ period: kind, by, ...view }, change] = useUrlState(EarningsView);
  const period = kind === "reported" ? monthOf(until) : periodOf({ ...view, period: kind }, DAY_PERIODS);
  const compared = comparisonOf(view);
  if (kind === "reported" && compared.against === "before") compared.against = "month";
  const scope: TableScope = { period, compared, by, sort: view.sort || (by === "day" ? "key" : "earnings") };
  const query = useQuery(earningsOptions(scope));
  const rates = useRef<HTMLDivElement>(null);
  const { data, isPlaceholderData } = query;
  return (
    <div aria-busy={isPlaceholderData} className="grid gap-4 *:min-w-0 aria-busy:opacity-60">
      <Card
        title="All your links"
        action={<PeriodChoice period={period} compared={compared} kinds={DAY_PERIODS} onChange={change} />}
      >
        <div className="flex flex-col gap-5">
          <Loaded data={data} query={query} failed={FAILED}>
            {(table) => (
              <>
                <DaysNote days={table} figures={table.totals} />
                <EarningsTotals figures={table.totals} before={table.before?.totals} />
                <MissingReports missing={table.missing} />
              </>
            )}
          </Loaded>
          <EarningsChart scope={scope} onPeriod={(bar) => change(bar, false)} />
          {data && (
            <TotalsNote
              table={data}
              onRates={() => {
                rates.current?.querySelector("details")?.setAttribute("open", "");
                rates.current?.querySelector("input")?.focus();
              }}
            />
          )}
        </div>
      </Card>
      <RateChanges />
      <Card
        title="What earned"
        action={
          <HeadSelect
            label="By"
            options={EARNINGS_GROUPS.map((each) => [each, EARNINGS_GROUP_NAMES[each]])}
            value={by}
            // Another table begins in its usual order.
            onSelect={(chosen) => change({ by: chosen, sort: "" })}
          />
        }
      >
        <Loaded data={data} query={query} failed={FAILED}>
          {(table) => (
            <div className="flex flex-col gap-5">
              {table.rows.length === 0 ? (
                <p className="text-muted">{emptyText(table)}</p>
              ) : (
                <EarningsRows
                  rows={table.rows}
                  by={table.by}
                  caption={`What earned: ${EARNINGS_GROUP_NAMES[table.by]}`}
                  order={scope.sort}
                  onOrder={(sort) => change({ sort })}
                />
              )}
              <div className="flex flex-wrap items-center justify-end gap-3">
                <TableNote table={table} />
                <DownloadButton isLink file={() => earningsFile(scope)} />
              </div>
            </div>
          )}
        </Loaded>
      </Card>
      <UnlinkedProducts />
      <div ref={rates}>
        <Rates shown={data?.totals.sums.map(({ currency }) => currency) ?? []} />
      </div>
    </div>
  );
}

/** The month of a day, of which the current and the last one have names. */
function monthOf(day: string): Period {
  const now = new Date();
  const month = day.slice(0, 7);
  for (const period of ["month", "last-month"] as const) {
    if (dayOf(periodBounds({ ...DEFAULT_PERIOD, period }, now).from).startsWith(month))
      return { period, from: "", to: "" };
  }
  const { from, to } = periodOfBar(`${month}-01T00:00`, "month");
  return { period: "custom", from, to };
}

const emptyText = ({ totals }: EarningsTable) =>
  areReported(totals) ? "The reports have nothing for this period." : "No imported report covers these days.";

function TotalsNote({ table, onRates }: { table: EarningsTable; onRates: () => void }) {
  const { totals } = table;
  return (
    <div className="text-sm text-pretty text-muted">
      {totals.sums.length === 0 && <p>{emptyText(table)}</p>}
      {totals.earnings === null && totals.sums.filter(({ earnings }) => earnings !== null).length > 1 && (
        <p>
          Several currencies can't be added up without your rates.{" "}
          <Can call="PUT /api/earnings/rates">
            <button type="button" className={textLinkClass} onClick={onRates}>
              Give them below
            </button>
          </Can>
        </p>
      )}
      <p>{DAYS_OF_AMAZON}</p>
    </div>
  );
}

function TableNote({
  table: { rows, by, omittedRowCount, areMore, ratesDay },
}: {
  table: EarningsTable & { by: EarningsGroup };
}) {
  const currencies = new Set(rows.flatMap(({ earnings, currency }) => (earnings === null ? [] : currency)));
  return (
    <div className="min-w-0 flex-1 basis-48 text-sm text-pretty text-muted">
      {omittedRowCount > 0 && <p>{`${formatNumber(omittedRowCount)} more rows are in the CSV file.`}</p>}
      {areMore && <p>Taps cover only the last days: this period has too many to add them all up.</p>}
      {currencies.size > 1 && <p>Each currency is sorted separately.</p>}
      <p>“Per tap” divides by the links' taps on the days that the reports cover.</p>
      {by === "channel" && (
        <p>
          {rows.some(({ amazonClicks }) => amazonClicks)
            ? "Amazon's clicks come from its tracking reports for the same days. Amazon counts differently, so watch for changes, not the level. A channel has none if links have gained or lost its tag since then."
            : "Import tracking reports (Fee-Tracking) of several months to see how many taps Amazon counts."}
        </p>
      )}
      {rows.some(isConverted) && (
        <p>
          {ratesDay
            ? `The small amounts are from the reports, converted above with the European Central Bank's rates of ${formatDays(ratesDay, ratesDay)}, or yours.`
            : "The small amounts are from the reports, converted above with your rates."}
        </p>
      )}
    </div>
  );
}
