import { fileURLToPath } from "node:url";
import type { Browser } from "@playwright/test";

const OBSERVER = fileURLToPath(new URL("./observe-paint.js", import.meta.url));
const SLOWDOWN = 4;
/** After the last request of a page: what it has to do then comes at once or not at all. */
const SETTLED_MS = 1_000;

export interface Paint {
  /** Largest Contentful Paint. */
  largestMs: number;
  /** What tasks of the main thread lasted beyond 50 ms each. */
  blockingMs: number;
  /** Cumulative Layout Shift. */
  shift: number;
}

/** Loads a page in a browser that knows nothing of it yet, on a quarter of the processor. */
export async function loadPage(browser: Browser, url: string): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    await page.addInitScript({ path: OBSERVER });
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await page.goto(url, { waitUntil: "networkidle" });
    await page.waitForTimeout(SETTLED_MS);
    return await page.evaluate<Paint>("window.paint");
  } finally {
    await context.close();
  }
}
