import type { Page } from "@playwright/test";
import { expect } from "./home.ts";

/** Chromium rates a page as good up to 0.1. On a slow machine replies arrive in another order, which moves more. */
const MAX_SHIFT = 0.05;

/** Waits for the first paint, and for the current content to be painted. */
async function waitForPaint(page: Page) {
  // waitForFunction awaits a promise that a predicate returns, but then does not poll again.
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  await page.waitForFunction(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Opens a page whose replies arrive after it was painted, and waits until it is complete: little has moved meanwhile. */
export async function expectNoLayoutShift(page: Page, path: string) {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Element | null }[] };
        shifts.push(`${value} ${sources.map(({ node }) => node?.outerHTML?.slice(0, 120))}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.route("/api/**", async (route) => {
    await waitForPaint(page);
    await route.continue();
  });
  await page.goto(path);
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).not.toHaveText(/^Loading/);
  await expect(page.locator("main [data-loading]")).toHaveCount(0);
  await page.waitForLoadState("networkidle");
  await page.unrouteAll({ behavior: "wait" });
  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  const sum = shifts.reduce((total, shift) => total + Number.parseFloat(shift), 0);
  expect(sum, shifts.join("\n")).toBeLessThan(MAX_SHIFT);
}
