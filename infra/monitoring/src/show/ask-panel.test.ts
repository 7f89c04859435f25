import { expect, it } from "vitest";
import type { Panel } from "../dashboards/dashboard.ts";
import { queryPanel } from "./ask-panel.ts";
import type { Series } from "./prometheus.ts";

const PANEL: Panel = {
  title: "Requests",
  unit: "reqps",
  queries: [
    { expr: "rate", legend: "{{method}} {{route}}" },
    { expr: "nothing", legend: "" },
    { expr: "no-number", legend: "" },
  ],
};
const ANSWERS: Record<string, Series[]> = {
  rate: [{ labels: { route: "/l/:code", method: "GET" }, points: [[1, 2]] }],
  nothing: [],
  "no-number": [{ labels: {}, points: [] }],
};

it("names lines as Grafana does, and the queries that gave no number", async () => {
  const prometheus = { queryRange: async (expr: string) => ANSWERS[expr] ?? [] };
  expect(await queryPanel(prometheus, PANEL, 0, 1)).toEqual({
    lines: [{ name: "GET /l/:code", points: [[1, 2]] }],
    silentQueries: ["nothing", "no-number"],
  });
});
