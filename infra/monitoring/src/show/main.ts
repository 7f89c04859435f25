import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { watchInterruption } from "@tapthru/local/interruption";
import { PlainError } from "@tapthru/local/plain-error";
import { CHECKOUT, readSettings } from "@tapthru/local/settings";
import { createStack } from "@tapthru/local/stack";
import { freeStackEnv, startWholeStack } from "@tapthru/local/stack-process";
import { createTestRun } from "@tapthru/local/test-run";
import { DASHBOARDS } from "../dashboards/catalogue.ts";
import { askPanel } from "./ask-panel.ts";
import { picture } from "./picture.ts";
import { type Prometheus, startPrometheus } from "./prometheus.ts";
import { keepVisiting } from "./traffic.ts";

/** Rates need some time, and rules that are evaluated twice a minute a minute. */
const TRAFFIC_MS = 90_000;

const interruption = watchInterruption(() => process.exit(130));
const run = await createTestRun();
const stack = createStack(run.ledger, interruption);
process.once("exit", stack.kill);
try {
  const free = await freeStackEnv(run.folder);
  const baseUrl = `http://127.0.0.1:${free.PORT}`;
  const env = { ...free, PUBLIC_BASE_URL: baseUrl, RATE_LIMITS: "off" };
  console.log("… starting a stack and a Prometheus");
  const logFile = join(run.folder, "start.log");
  await startWholeStack({ env, logFile, options: ["--demo"] }, stack);
  const prometheus = await startPrometheus(readSettings(env), stack);
  console.log(`… visiting it for ${TRAFFIC_MS / 1_000} s`);
  const over = new AbortController();
  const visiting = keepVisiting(baseUrl, AbortSignal.any([over.signal, interruption]));
  await Promise.race([visiting, delay(TRAFFIC_MS, undefined, { signal: interruption })]);
  const isComplete = await showDashboards(prometheus);
  over.abort();
  await visiting;
  process.exitCode = isComplete ? 0 : 1;
} catch (error) {
  process.exitCode = 1;
  if (error instanceof PlainError) console.error(error.message);
  else if (!interruption.aborted) throw error;
} finally {
  await stack.stop();
  await run.remove();
}

/** Draws each dashboard into docs/images. False where a query gave nothing. */
async function showDashboards(prometheus: Prometheus): Promise<boolean> {
  const to = Date.now() / 1_000;
  const from = to - TRAFFIC_MS / 1_000;
  let isComplete = true;
  for (const dashboard of DASHBOARDS) {
    const shown = [];
    for (const panel of dashboard.panels) {
      const { lines, silentQueries } = await askPanel(prometheus, panel, from, to);
      shown.push({ panel, lines });
      const isEmpty = silentQueries.length > 0;
      if (isEmpty) isComplete = false;
      const told = isEmpty ? `EMPTY: ${silentQueries.join("; ")}` : `${lines.length} series`;
      console.log(`${dashboard.title}: ${panel.title}: ${told}`);
    }
    const file = join(CHECKOUT, "docs", "images", `${dashboard.uid}.svg`);
    await writeFile(file, picture(dashboard, shown));
  }
  return isComplete;
}
