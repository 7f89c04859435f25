import { expect, it } from "vitest";
import type { Panel } from "../dashboards/dashboard.ts";
import type { Series } from "./prometheus.ts";
import { queryPanel } from "./query-panel.ts";

const PANEL: Panel = {
  title: "Requests",
  unit: "reqps",
  queries: [
    { expr: "rate", legend: "{{method}} {{route}}" },
    { expr: "no-series", legend: "" },
    { expr: "no-points", legend: "" },
  ],
};
const RESULTS: Record<string, Series[]> = {
  rate: [{ labels: { route: "/l/:code", method: "GET" }, points: [[1, 2]] }],
  "no-series": [],
  "no-points": [{ labels: {}, points: [] }],
};

it("names lines as Grafana does, and lists queries without values", async () => {
  const prometheus = { queryRange: async (expr: string) => RESULTS[expr] ?? [] };
  expect(await queryPanel(prometheus, PANEL, 0, 1)).toEqual({
    lines: [{ name: "GET /l/:code", points: [[1, 2]] }],
    emptyQueries: ["no-series", "no-points"],
  });
});
