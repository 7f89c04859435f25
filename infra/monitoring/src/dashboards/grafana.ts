import { join } from "node:path";
import type { Dashboard, Panel } from "./dashboard.ts";
import { restrictToInstallation } from "./restrict-to-installation.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "grafana", "dashboards");
/** The data source selected in the dashboard. */
const DATASOURCE = { type: "prometheus", uid: "$datasource" };
/** "All" also matches series without the label `installation`. */
const VARIABLES = [
  {
    name: "datasource",
    label: "Prometheus",
    type: "datasource",
    query: "prometheus",
    current: {},
  },
  {
    name: "installation",
    label: "Installation",
    type: "query",
    datasource: DATASOURCE,
    query: { qryType: 1, query: "label_values(tapthru_build_info, installation)", refId: "A" },
    definition: "label_values(tapthru_build_info, installation)",
    refresh: 2,
    includeAll: true,
    allValue: ".*",
    multi: true,
    current: { text: ["All"], value: ["$__all"] },
  },
];
const PANEL_WIDTH = 12;
const PANEL_HEIGHT = 8;

/** The path of the dashboard's file for Grafana. */
export function grafanaFile({ uid }: Dashboard): string {
  return join(FOLDER, `${uid}.json`);
}

/** The dashboard in Grafana's JSON model, with two panels side by side. */
export function grafanaJson({ uid, title, panels }: Dashboard): string {
  const model = {
    uid,
    title: `Tapthru: ${title}`,
    tags: ["tapthru"],
    schemaVersion: 41,
    editable: false,
    time: { from: "now-6h", to: "now" },
    refresh: "30s",
    links: [{ type: "dashboards", tags: ["tapthru"], title: "Tapthru", asDropdown: true }],
    templating: { list: VARIABLES },
    panels: panels.map(grafanaPanel),
  };
  return `${JSON.stringify(model, null, 2)}\n`;
}

function grafanaPanel({ title, unit, note, onlyWith, queries }: Panel, index: number) {
  return {
    id: index + 1,
    type: "timeseries",
    title,
    description: [note, onlyWith && `Only with ${onlyWith}.`].filter(Boolean).join(" "),
    datasource: DATASOURCE,
    gridPos: {
      x: (index % 2) * PANEL_WIDTH,
      y: Math.floor(index / 2) * PANEL_HEIGHT,
      w: PANEL_WIDTH,
      h: PANEL_HEIGHT,
    },
    fieldConfig: { defaults: { unit, custom: { fillOpacity: 8 } }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi" } },
    targets: queries.map(({ expr, legend }, i) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + i),
      datasource: DATASOURCE,
      expr: restrictToInstallation(expr),
      legendFormat: legend,
    })),
  };
}
