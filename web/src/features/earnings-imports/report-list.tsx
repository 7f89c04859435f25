import type { EarningsReport } from "@tapthru/proto/earnings-imports";
import { formatMoney } from "@tapthru/proto/rules/money";
import { formatUtcDays } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";

export const REPORT_KIND_NAMES = {
  earnings: "Earnings",
  orders: "Orders",
  tracking: "Tracking IDs",
  "daily-trends": "Days",
  bounties: "Bounties",
} as const;

const unmatchedRows = (count: number, text: string) =>
  count === 1
    ? "1 row has a tracking ID that no channel or link of yours has."
    : `${text} rows have a tracking ID that no channel or link of yours has.`;

const daysOfOtherAccounts = (count: number, text: string) =>
  count === 1
    ? "1 of these days has figures of another store ID. Both will count."
    : `${text} of these days have figures of another store ID. Both will count.`;

interface ReportListProps {
  heading: string;
  reports: readonly EarningsReport[];
}

/** The reports of a file with their sums, which users compare with Amazon's. */
export function ReportList({ heading, reports }: ReportListProps) {
  return (
    <section aria-label={heading}>
      <h3 className="mb-3 font-medium wrap-anywhere">{heading}</h3>
      <ul className="flex flex-col gap-3">
        {reports.map((report) => (
          <Report key={`${report.fileName} ${report.kind} ${report.firstDay}`} report={report} />
        ))}
      </ul>
    </section>
  );
}

function Report({ report }: { report: EarningsReport }) {
  const { fileName, kind, firstDay, lastDay, rowCount } = report;
  const { unmatchedRowCount, replacedDayCount, otherAccountDayCount } = report;
  return (
    <li className="flex flex-col gap-3 rounded-xl bg-sunken px-4 py-3">
      <div className="min-w-0">
        <h4 className="font-medium">{REPORT_KIND_NAMES[kind]}</h4>
        <p className="text-sm wrap-anywhere text-muted">
          {formatUtcDays(firstDay, lastDay)}
          <br />
          {fileName}
        </p>
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 tabular-nums">
        {figuresOf(report).map(([name, text]) => (
          <div key={name} className="min-w-0">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-medium wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
      <div className="text-sm text-pretty text-muted">
        <p>{rowCount === 1 ? "1 row" : `${formatNumber(rowCount)} rows`}</p>
        {unmatchedRowCount > 0 && <p>{unmatchedRows(unmatchedRowCount, formatNumber(unmatchedRowCount))}</p>}
        {replacedDayCount > 0 && (
          <p>
            {replacedDayCount === 1
              ? "Replaces the stored figures of 1 day."
              : `Replaces the stored figures of ${formatNumber(replacedDayCount)} days.`}
          </p>
        )}
        {otherAccountDayCount > 0 && (
          <p>{daysOfOtherAccounts(otherAccountDayCount, formatNumber(otherAccountDayCount))}</p>
        )}
      </div>
    </li>
  );
}

/** Only those for which the report has a column. */
function figuresOf(report: EarningsReport): [name: string, text: string][] {
  const { currency, earnings, revenue, ordered, shipped, returned, clicks } = report;
  const money = (amount: number | null) => amount !== null && formatMoney(amount, currency);
  const count = (items: number | null) => items !== null && formatNumber(items);
  const figures: [string, string | false][] = [
    ["Earnings", money(earnings)],
    ["Sales", money(revenue)],
    ["Ordered", count(ordered)],
    ["Shipped", count(shipped)],
    ["Returned", count(returned)],
    ["Amazon's clicks", count(clicks)],
  ];
  return figures.filter((each): each is [string, string] => each[1] !== false);
}
