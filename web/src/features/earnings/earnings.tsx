import { useQuery } from "@tanstack/react-query";
import { EARNINGS_GROUPS, type EarningsGroup, EarningsOrder, type EarningsTable } from "@tapthru/proto/earnings";
import { Download, FileUp } from "lucide-react";
import { PeriodChoice } from "../../components/period-choice.tsx";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { EmptyState, LoadingFailed } from "../../components/ui/empty-state.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Select } from "../../components/ui/select.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { formatUtcDay } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { earningsOptions, useDownloadEarnings } from "./api.ts";
import { Arrivals } from "./arrivals.tsx";
import { EARNINGS_GROUP_NAMES, EarningsRows, type RenderLink } from "./earnings-table.tsx";
import { areReported, EarningsTotals, isConverted, reportedUntil } from "./figures.tsx";
import { Matches } from "./matches.tsx";
import { Rates } from "./rates-form.tsx";
import { type EarningsView, useEarningsView } from "./use-earnings-view.ts";

const EARNINGS_ORDERS = {
  earnings: "Highest earnings first",
  "earnings-per-click": "Highest earnings per tap first",
  people: "Most taps first",
  key: "In the order of days",
} as const;

/** If rows have several currencies. */
const EARNINGS_ORDERS_BY_CURRENCY = {
  ...EARNINGS_ORDERS,
  earnings: "Highest earnings of each currency first",
  "earnings-per-click": "Highest earnings per tap of each currency first",
} as const;

interface EarningsProps {
  /** The page where users import Amazon's reports. */
  importPath: string;
  /** The page where users say their tracking ids. */
  storesPath: string;
  renderLink: RenderLink;
}

/** What the user's links earned in a period, and whether their tags arrive. */
export function Earnings({ importPath, storesPath, renderLink }: EarningsProps) {
  const { view, change } = useEarningsView();
  const { data, isPending, isPlaceholderData, refetch } = useQuery(earningsOptions(view));
  if (isPending) {
    return (
      <div data-loading className="animate-appear-late pt-24">
        <Spinner label="Loading earnings..." />
      </div>
    );
  }
  if (!data) {
    return <LoadingFailed message="The earnings could not be loaded." action="Try again" onAction={() => refetch()} />;
  }
  if (data.reportedUntil === null) return <NoReports importPath={importPath} />;
  return (
    <div aria-busy={isPlaceholderData} className={`flex flex-col gap-4 ${isPlaceholderData ? "opacity-60" : ""}`}>
      <Card title="All your links">
        <div className="flex flex-col gap-6">
          <PeriodChoice period={view.period} kinds={PERIOD_KINDS} onChange={(period) => change({ period })} />
          <EarningsTotals figures={data.totals} />
          <div className="text-sm text-pretty text-muted">
            {data.totals.sums.length === 0 && <p>{emptyText(data)}</p>}
            {data.currency === null && data.totals.sums.length > 1 && (
              <p>There is no sum of several currencies without your rates. Give them below.</p>
            )}
            <p>{reportedUntil(formatUtcDay(data.reportedUntil))}</p>
          </div>
        </div>
      </Card>
      <TableCard table={data} view={view} onChange={change} renderLink={renderLink} />
      {data.matches.length > 0 && <Matches matches={data.matches} storesPath={storesPath} />}
      <Arrivals />
      <Rates shown={data.totals.sums.map(({ currency }) => currency)} />
    </div>
  );
}

const emptyText = ({ totals }: EarningsTable) =>
  areReported(totals) ? "The reports have nothing in this period." : "No imported report has these days.";

/** Reports have no hours. */
const PERIOD_KINDS = ["7d", "30d", "90d", "custom"] as const;

function NoReports({ importPath }: { importPath: string }) {
  return (
    <EmptyState icon={<FileUp aria-hidden className="size-8" />}>
      <p className="max-w-md leading-6 text-pretty">
        In Amazon's Associates Central, open Reports and download them as a ZIP or CSV. Import the file here as it is,
        and see what each link earned.
      </p>
      <PageLink to={importPath} className={buttonClass()}>
        Import reports
      </PageLink>
    </EmptyState>
  );
}

/** Amounts of different currencies are not compared, but put one currency after the other. */
function areComparable(rows: EarningsTable["rows"]): boolean {
  const known = rows.filter(({ earnings }) => earnings !== null);
  return new Set(known.map(({ currency }) => currency)).size < 2;
}

interface TableCardProps {
  table: EarningsTable & { by: EarningsGroup };
  view: EarningsView;
  onChange: (changes: Partial<EarningsView>) => void;
  renderLink: RenderLink;
}

function TableCard({ table, view, onChange, renderLink }: TableCardProps) {
  const { by, sort } = view;
  const { mutate, isPending } = useDownloadEarnings(view);
  const orders = areComparable(table.rows) ? EARNINGS_ORDERS : EARNINGS_ORDERS_BY_CURRENCY;
  const caption = `What earned: ${EARNINGS_GROUP_NAMES[table.by]}`;
  return (
    <Card title="What earned">
      <div className="flex flex-col gap-5">
        <ChoiceBar
          legend="By"
          isLegendHidden
          choices={EARNINGS_GROUPS.map((each) => [each, EARNINGS_GROUP_NAMES[each]])}
          value={by}
          onChange={(chosen) => onChange({ by: chosen })}
        />
        <div className="flex max-w-80">
          <Select
            label="Order"
            value={sort}
            options={EarningsOrder.options
              .filter((each) => each !== "key" || by === "day")
              .map((each) => [each, orders[each]])}
            onSelect={(chosen) => onChange({ sort: chosen })}
          />
        </div>
        {table.rows.length === 0 ? (
          <p className="text-muted">{emptyText(table)}</p>
        ) : (
          <EarningsRows rows={table.rows} by={table.by} caption={caption} renderLink={renderLink} />
        )}
        <div className="flex flex-wrap items-center justify-end gap-3">
          <div className="min-w-0 flex-1 basis-48 text-sm text-pretty text-muted">
            {table.omittedRowCount > 0 && (
              <p>{`${formatNumber(table.omittedRowCount)} more rows are in the CSV file, which has all.`}</p>
            )}
            <p>Earnings per tap and orders per tap are divided by the taps of people on the links in the same days.</p>
            {table.rows.some(isConverted) && (
              <p>Small amounts are those of the reports, converted above with your rates.</p>
            )}
          </div>
          <Button variant="outline" aria-disabled={isPending} onClick={() => mutate()}>
            <Download aria-hidden className="size-4" />
            Download CSV
          </Button>
        </div>
      </div>
    </Card>
  );
}
