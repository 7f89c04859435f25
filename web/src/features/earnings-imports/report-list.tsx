import type { EarningsReport } from "@tapthru/proto/http/earnings-imports";
import { messages } from "@tapthru/proto/rules/messages";
import * as fileTexts from "@tapthru/proto/rules/messages/earnings-files";
import * as figureTexts from "@tapthru/proto/rules/messages/earnings-page";
import { formatMoney } from "@tapthru/proto/rules/money";
import { formatUtcDays } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";

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
        <h4 className="font-medium">{fileTexts.reportKinds[kind]}</h4>
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
        <p>{fileTexts.rowsOfReport(rowCount, formatNumber(rowCount))}</p>
        {unmatchedRowCount > 0 && (
          <p>{fileTexts.unmatchedRows(unmatchedRowCount, formatNumber(unmatchedRowCount))}</p>
        )}
        {replacedDayCount > 0 && (
          <p>{fileTexts.replacedDays(replacedDayCount, formatNumber(replacedDayCount))}</p>
        )}
        {otherAccountDayCount > 0 && (
          <p>
            {fileTexts.daysOfOtherAccounts(
              otherAccountDayCount,
              formatNumber(otherAccountDayCount),
            )}
          </p>
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
    [messages.earnings, money(earnings)],
    [figureTexts.revenue, money(revenue)],
    [figureTexts.ordered, count(ordered)],
    [figureTexts.shipped, count(shipped)],
    [figureTexts.returned, count(returned)],
    [figureTexts.amazonClicks, count(clicks)],
  ];
  return figures.filter((each): each is [string, string] => each[1] !== false);
}
