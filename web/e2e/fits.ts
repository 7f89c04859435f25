import type { Page } from "@playwright/test";
import { expectNoViolations } from "./axe.ts";
import { expect } from "./home.ts";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";

/** Nothing is wider than a phone, a tablet or a desktop, and axe finds nothing there, light and dark. */
export async function expectFitsWithoutViolations(page: Page) {
  if (isTakingScreenshots) return takeScreenshots(page);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
  }
}
