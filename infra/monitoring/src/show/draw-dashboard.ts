import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Dashboard, Panel } from "../dashboards/dashboard.ts";
import type { Series } from "./prometheus.ts";

export interface Line {
  name: string;
  points: Series["points"];
}

/** A panel with the results of its queries. */
export interface PanelResult {
  panel: Panel;
  lines: readonly Line[];
}

/** The title of the axis, and the format of its numbers in the syntax of d3-format. */
const AXES: Record<Panel["unit"], { title: string | null; format: string }> = {
  bytes: { title: "bytes", format: ".3~s" },
  none: { title: null, format: ",.3~r" },
  ops: { title: "per second", format: ".3~s" },
  percentunit: { title: null, format: ".3~p" },
  reqps: { title: "per second", format: ".3~s" },
  s: { title: "seconds", format: ".3~g" },
  short: { title: null, format: ",.3~r" },
};

/** Draws a dashboard as SVG, with two panels side by side. */
export function drawDashboard(
  { title }: Dashboard,
  results: readonly PanelResult[],
): Promise<string> {
  const spec: TopLevelSpec = {
    description: title,
    background: "white",
    columns: 2,
    concat: results.map(lineChart),
    resolve: { scale: { color: "independent" } },
  };
  return new View(parse(compile(spec).spec), { renderer: "none" }).toSVG();
}

function lineChart({ panel, lines }: PanelResult) {
  const { title, format } = AXES[panel.unit];
  const values = lines.flatMap(({ name, points }) =>
    points.map(([seconds, value]) => ({ name, time: seconds * 1_000, value })),
  );
  return {
    title: panel.title,
    width: 400,
    height: 120,
    data: { values },
    mark: "line" as const,
    encoding: {
      x: { field: "time", type: "temporal" as const, axis: null },
      y: {
        field: "value",
        type: "quantitative" as const,
        title,
        // `format` would show NaN if all values are 0.
        axis: { labelExpr: `format(datum.value, "${format}")`, tickCount: 3 },
      },
      color: {
        field: "name",
        title: null,
        legend: { orient: "bottom" as const, columns: 2, labelLimit: 180, symbolLimit: 6 },
      },
    },
  };
}
