import { fileURLToPath } from "node:url";
import type { Browser } from "@playwright/test";

const OBSERVER = fileURLToPath(new URL("./observe-paint.js", import.meta.url));
const SLOWDOWN = 4;
/** Wait after the last request of a page, for late paints and tasks. */
const SETTLED_MS = 1_000;

export interface PaintMetrics {
  /** Largest Contentful Paint. */
  largestMs: number;
  /** Sum of the time above 50 ms of each task on the main thread. */
  blockingMs: number;
  /** Cumulative Layout Shift. */
  shift: number;
}

/** Loads a page with an empty cache and fourfold CPU throttling. */
export async function loadPage(browser: Browser, url: string): Promise<PaintMetrics> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    await page.addInitScript({ path: OBSERVER });
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await page.goto(url, { waitUntil: "networkidle" });
    await page.waitForTimeout(SETTLED_MS);
    return await page.evaluate<PaintMetrics>("window.paint");
  } finally {
    await context.close();
  }
}
