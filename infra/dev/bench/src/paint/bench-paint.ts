import { loadavg } from "node:os";
import { type Browser, chromium } from "@playwright/test";
import { machineSummary, today } from "@tapthru/local/processes/machine";
import { findChromium } from "@tapthru/local/programs/chromium";
import { createTestRun } from "@tapthru/local/test-servers/test-run";
import { loadPage, type PaintMetrics } from "./load-page.ts";
import { openSites, type Sites } from "./sites.ts";
import { comparisonTable, type Round } from "./table.ts";

const ROUNDS = 7;
const PATHS = ["/", "/login", "/privacy"];

/** Measures paint times of pages relative to an empty page. */
export async function benchPaint(signal: AbortSignal): Promise<string> {
  const where = `${today()}, ${machineSummary()}, load average before: ${loadavg()[0]?.toFixed(1)}`;
  const run = await createTestRun();
  const executablePath = await findChromium();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  try {
    const sites = await openSites(run.folder);
    const rounds = await measure(browser, sites, signal);
    await sites.close();
    return `${where}, Chromium ${browser.version()}.\n\n${comparisonTable(rounds)}`;
  } finally {
    await browser.close();
    await run.remove();
  }
}

async function measure(browser: Browser, sites: Sites, signal: AbortSignal): Promise<Round[]> {
  const pages = [
    ["empty page", sites.empty],
    ...PATHS.map((path) => [path, new URL(path, sites.ours).href] as const),
  ] as const;
  const rounds: Round[] = [];
  // The first round warms up the servers and the browser.
  for (let round = 0; round <= ROUNDS; round++) {
    const paints = new Map<string, PaintMetrics>();
    for (const [name, url] of pages) {
      signal.throwIfAborted();
      paints.set(name, await loadPage(browser, url));
    }
    if (round > 0) rounds.push(paints);
  }
  return rounds;
}
