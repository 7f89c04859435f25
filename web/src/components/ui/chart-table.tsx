import type { ClickInterval } from "@tapthru/proto/clicks";
import { nameByInterval, periodName } from "./chart.tsx";
import { Details } from "./details.tsx";
import { type Column, DataTable } from "./table.tsx";

interface ChartTableProps<Bar> {
  /** That of the chart. */
  name: string;
  interval: ClickInterval;
  bars: readonly Bar[];
  columns: readonly Column<Bar>[];
}

export function ChartTable<Bar extends { start: string }>({ name, interval, bars, columns }: ChartTableProps<Bar>) {
  return (
    <Details summary="Show as a table" openSummary="Hide the table">
      <DataTable
        caption={nameByInterval(name, interval)}
        className="max-h-80"
        rows={bars.toReversed()}
        keyOf={({ start }) => start}
        columns={[{ name: "Time", cell: ({ start }) => periodName(start, interval) }, ...columns]}
      />
    </Details>
  );
}
