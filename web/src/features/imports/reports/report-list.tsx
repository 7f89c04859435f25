import type { EarningsReport } from "@tapthru/proto/earnings-imports";
import { formatMoney } from "@tapthru/proto/rules/money";
import { type Fact, Facts } from "../../../components/ui/facts.tsx";
import { formatUtcDays } from "../../../lib/dates.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";

export const REPORT_KIND_NAMES = {
  earnings: "Earnings",
  orders: "Orders",
  tracking: "Tags",
  "daily-trends": "Days",
  bounties: "Bounties",
} as const;

export function ReportList({ heading, reports }: { heading: string; reports: readonly EarningsReport[] }) {
  return (
    <section aria-label={heading}>
      <h3 className="mb-3 font-medium wrap-anywhere">{heading}</h3>
      <ul className="divide-y divide-line border-y border-line">
        {reports.map((report) => (
          <Report key={`${report.fileName} ${report.kind} ${report.firstDay}`} report={report} />
        ))}
      </ul>
    </section>
  );
}

function Report({ report }: { report: EarningsReport }) {
  const { fileName, kind, firstDay, lastDay, rowCount, unreadLines } = report;
  const { unmatchedRowCount, replacedDayCount, otherAccountDayCount } = report;
  return (
    <li className="flex flex-col gap-3 py-3">
      <div className="min-w-0">
        <h4 className="font-medium">{REPORT_KIND_NAMES[kind]}</h4>
        <p className="text-sm wrap-anywhere text-muted">
          {formatUtcDays(firstDay, lastDay)}
          <br />
          {fileName}
        </p>
      </div>
      <Facts look="figures" facts={figuresOf(report)} />
      <div className="text-sm text-pretty text-muted">
        <p>{`The sums cover ${formatCount(rowCount, "row")}.`}</p>
        {unreadLines.map(({ line, text }) => (
          <p key={`${line} ${text}`} className="wrap-anywhere">
            {`Not in the sums: line ${formatNumber(line)}, ${text}`}
          </p>
        ))}
        {unmatchedRowCount > 0 && (
          <p>
            {`${formatCount(unmatchedRowCount, "row has", "rows have")} a tag that no channel or link of yours has.`}
          </p>
        )}
        {replacedDayCount > 0 && <p>{`Replaces the stored figures of ${formatCount(replacedDayCount, "day")}.`}</p>}
        {otherAccountDayCount > 0 && (
          <p>
            {`${formatCount(otherAccountDayCount, "of these days has", "of these days have")} figures of another store ID. Both will count.`}
          </p>
        )}
      </div>
    </li>
  );
}

function figuresOf(report: EarningsReport): (Fact | false)[] {
  const { currency, earnings, revenue, ordered, shipped, returned, clicks } = report;
  const money = (name: string, amount: number | null) =>
    amount !== null && ([name, formatMoney(amount, currency)] as const);
  const count = (name: string, items: number | null) => items !== null && ([name, formatNumber(items)] as const);
  return [
    money("Earnings", earnings),
    money("Sales", revenue),
    count("Ordered", ordered),
    count("Shipped", shipped),
    count("Returned", returned),
    count("Amazon's clicks", clicks),
  ];
}
