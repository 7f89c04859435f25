import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runCommand } from "@tapthru/local/run-command";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { DASHBOARDS } from "../dashboards/catalogue.ts";
import { panelsOfEveryInstallation } from "../dashboards/dashboard.ts";
import { drawDashboard } from "./draw-dashboard.ts";
import type { Prometheus } from "./prometheus.ts";
import { queryPanel } from "./query-panel.ts";
import { withTrafficStack } from "./traffic-stack.ts";

/** Rules that are evaluated every 30 s need two evaluations, and rates need some more time. */
const TRAFFIC_MS = 90_000;

await runCommand((signal) => {
  console.log("… starting a stack and a Prometheus");
  return withTrafficStack(signal, async (prometheus) => {
    console.log(`… sending traffic for ${TRAFFIC_MS / 1_000} s`);
    await delay(TRAFFIC_MS, undefined, { signal });
    return showDashboards(prometheus);
  });
});

/** Draws each dashboard into docs/images. Returns false if a query returned no values. */
async function showDashboards(prometheus: Prometheus): Promise<boolean> {
  const to = Date.now() / 1_000;
  const from = to - TRAFFIC_MS / 1_000;
  let isComplete = true;
  for (const dashboard of DASHBOARDS) {
    const results = [];
    for (const panel of panelsOfEveryInstallation(dashboard.panels)) {
      const { lines, emptyQueries } = await queryPanel(prometheus, panel, from, to);
      results.push({ panel, lines });
      const isEmpty = emptyQueries.length > 0;
      if (isEmpty) isComplete = false;
      const summary = isEmpty ? `EMPTY: ${emptyQueries.join("; ")}` : `${lines.length} series`;
      console.log(`${dashboard.title}: ${panel.title}: ${summary}`);
    }
    const file = join(CHECKOUT, "docs", "images", `${dashboard.uid}.svg`);
    await writeFile(file, await drawDashboard(dashboard, results));
  }
  return isComplete;
}
