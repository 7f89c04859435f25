import type { Panel } from "../dashboards/dashboard.ts";
import type { Line } from "./draw-dashboard.ts";
import type { Prometheus } from "./prometheus.ts";

export interface PanelSeries {
  lines: Line[];
  /** Queries of the panel that returned no values. */
  emptyQueries: string[];
}

export async function queryPanel(
  prometheus: Pick<Prometheus, "queryRange">,
  { queries }: Panel,
  from: number,
  to: number,
): Promise<PanelSeries> {
  const result: PanelSeries = { lines: [], emptyQueries: [] };
  for (const { expr, legend } of queries) {
    const series = await prometheus.queryRange(expr, from, to);
    const lines = series
      .filter(({ points }) => points.length > 0)
      .map(({ labels, points }) => ({ name: legendText(legend, labels), points }));
    result.lines.push(...lines);
    if (lines.length === 0) result.emptyQueries.push(expr);
  }
  return result;
}

/** Fills in a legend's template as Grafana does. */
function legendText(legend: string, labels: Record<string, string>): string {
  return legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? "");
}
