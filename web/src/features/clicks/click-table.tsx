import type { ClickInterval, ClickReport } from "@tapthru/proto/clicks";
import type { ClickClass } from "@tapthru/proto/clicks/keys";
import { textLinkClass } from "../../components/ui/button.tsx";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";
import { formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";
import { COUNT_PER_PERIOD, periodName } from "./period-name.ts";

interface ClickTableProps {
  name: string;
  interval: ClickInterval;
  clickClass: ClickClass;
  series: ClickReport["series"];
}

/** The numbers of the chart, newest first. */
export function ClickTable({ name, interval, clickClass, series }: ClickTableProps) {
  const title = COUNT_PER_PERIOD[interval](name);
  const columns = clickClass === "person" ? TAP_COLUMNS : ([clickClass] as const);
  return (
    <details>
      <summary className={`${textLinkClass} w-fit cursor-pointer text-sm`}>Show as a table</summary>
      <ScrollArea label={title} className="mt-3 max-h-80 rounded-xl border border-line">
        <table className="w-full text-sm tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="border-b border-line text-muted">
              <th scope="col" className="px-3 py-2 text-start font-medium">
                Time
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="px-3 py-2 text-end font-medium">
                  {COLUMN_NAMES[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {series.toReversed().map((period) => (
              <tr key={period.start}>
                <th scope="row" className="px-3 py-2 text-start font-normal whitespace-nowrap">
                  {periodName(period.start, interval)}
                </th>
                {columns.map((column) => (
                  <td key={column} className="px-3 py-2 text-end">
                    {formatNumber(period[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  );
}

const TAP_COLUMNS = ["person", "visitors", "opened"] as const;
const COLUMN_NAMES = {
  ...CLICK_CLASS_NAMES,
  visitors: "Visitors (estimate)",
  opened: "App openings",
};
