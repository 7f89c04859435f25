import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, it } from "vitest";
import { exposedMetrics, metricsIn } from "../exposed-metrics.ts";
import { DASHBOARDS } from "./catalogue.ts";
import { grafanaFile, grafanaJson } from "./grafana.ts";

const files = DASHBOARDS.map(grafanaFile);

it.each(DASHBOARDS)(
  "Grafana's $uid.json is what the module says (pnpm dashboards writes it)",
  (dashboard) => {
    expect(readFileSync(grafanaFile(dashboard), "utf8")).toBe(grafanaJson(dashboard));
  },
);

it("Grafana finds no other dashboard", () => {
  const found = readdirSync(dirname(files[0] as string)).filter((name) => name.endsWith(".json"));
  expect(found.toSorted()).toEqual(files.map((file) => basename(file)).toSorted());
});

it("panels ask for metrics that the services have, and for each of them", () => {
  const asked = DASHBOARDS.flatMap(({ panels }) =>
    panels.flatMap(({ queries }) => queries.flatMap(({ expr }) => metricsIn(expr))),
  );
  expect(new Set(asked)).toEqual(exposedMetrics());
});
