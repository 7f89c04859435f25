import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { watchInterruption } from "@tapthru/local/stack/interruption";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { printError } from "@tapthru/local/user-facing-error";
import { DASHBOARDS } from "../dashboards/catalogue.ts";
import { queryPanel } from "./ask-panel.ts";
import { picture } from "./picture.ts";
import type { Prometheus } from "./prometheus.ts";
import { onVisitedStack } from "./visited-stack.ts";

/** Rates need some time, and rules that are evaluated twice a minute a minute. */
const TRAFFIC_MS = 90_000;

const interruption = watchInterruption(() => process.exit(130));
try {
  console.log("… starting a stack and a Prometheus");
  const isComplete = await onVisitedStack(interruption, async (prometheus) => {
    console.log(`… visiting it for ${TRAFFIC_MS / 1_000} s`);
    await delay(TRAFFIC_MS, undefined, { signal: interruption });
    return showDashboards(prometheus);
  });
  process.exitCode = isComplete ? 0 : 1;
} catch (error) {
  process.exitCode = 1;
  if (!interruption.aborted) printError(error);
}

/** Draws each dashboard into docs/images. False where a query gave nothing. */
async function showDashboards(prometheus: Prometheus): Promise<boolean> {
  const to = Date.now() / 1_000;
  const from = to - TRAFFIC_MS / 1_000;
  let isComplete = true;
  for (const dashboard of DASHBOARDS) {
    const shown = [];
    for (const panel of dashboard.panels) {
      const { lines, silentQueries } = await queryPanel(prometheus, panel, from, to);
      shown.push({ panel, lines });
      const isEmpty = silentQueries.length > 0;
      if (isEmpty) isComplete = false;
      const told = isEmpty ? `EMPTY: ${silentQueries.join("; ")}` : `${lines.length} series`;
      console.log(`${dashboard.title}: ${panel.title}: ${told}`);
    }
    const file = join(CHECKOUT, "docs", "images", `${dashboard.uid}.svg`);
    await writeFile(file, await picture(dashboard, shown));
  }
  return isComplete;
}
