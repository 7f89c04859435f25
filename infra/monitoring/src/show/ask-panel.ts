import type { Panel } from "../dashboards/dashboard.ts";
import type { Line } from "./picture.ts";
import type { Prometheus } from "./prometheus.ts";

export interface PanelAnswer {
  lines: Line[];
  /** Queries of the panel that gave not one number. */
  silentQueries: string[];
}

export async function queryPanel(
  prometheus: Prometheus,
  { queries }: Panel,
  from: number,
  to: number,
): Promise<PanelAnswer> {
  const answer: PanelAnswer = { lines: [], silentQueries: [] };
  for (const { expr, legend } of queries) {
    const series = await prometheus.queryRange(expr, from, to);
    const lines = series
      .filter(({ points }) => points.length > 0)
      .map(({ labels, points }) => ({ name: nameOf(legend, labels), points }));
    answer.lines.push(...lines);
    if (lines.length === 0) answer.silentQueries.push(expr);
  }
  return answer;
}

/** As Grafana fills in a legend. */
function nameOf(legend: string, labels: Record<string, string>): string {
  return legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? "");
}
