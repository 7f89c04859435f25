import { messages } from "@tapthru/proto/rules/messages";
import { lazy, Suspense } from "react";
import { importOnline } from "../../lib/import-online.ts";
import type { ClickChartProps } from "./click-chart.tsx";

const loadChart = importOnline(() => import("./click-chart.tsx"));

/** The table beside the chart has the same numbers. */
function ChartFailed() {
  return <p className="min-h-64 text-sm text-muted">{messages.chartFailed}</p>;
}

const Chart = lazy(() =>
  loadChart().then(
    ({ ClickChart }) => ({ default: ClickChart }),
    () => ({ default: ChartFailed }),
  ),
);

/** The chart, with its library, which loads when it is first shown. */
export function LazyChart(props: ClickChartProps) {
  return (
    <Suspense fallback={<div className="min-h-64" />}>
      <Chart {...props} />
    </Suspense>
  );
}
