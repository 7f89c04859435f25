import { join } from "node:path";
import { type Page, test } from "@playwright/test";

const { SCREENSHOTS_DIR } = process.env;
const WIDTHS = [360, 768, 1280];
const MIN_HEIGHT = 800;

/** `screenshots.config.ts` runs the accessibility tests, which then take screenshots instead of checking. */
export const isTakingScreenshots: boolean = SCREENSHOTS_DIR !== undefined;

/** Saves screenshots of a page at each width, in each theme, named after the test. */
export async function takeScreenshots(page: Page, { widths = WIDTHS } = {}) {
  const { titlePath, annotations } = test.info();
  annotations.push({ type: "screenshots" });
  const index = annotations.filter(({ type }) => type === "screenshots").length;
  const [file = "", ...titles] = titlePath;
  const state = [...titles, index].join(" ").replace(/[^\p{L}\p{N}]+/gu, "-");
  for (const width of widths.filter((each) => WIDTHS.includes(each))) {
    await page.setViewportSize({ width, height: MIN_HEIGHT });
    // Not `fullPage`: it leaves fixed elements at the scroll position.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const name = `${state}-${width}-${colorScheme}.png`;
      const path = join(SCREENSHOTS_DIR ?? "", file.replace(/(\.long)?\.spec\.ts$/, ""), name);
      await page.screenshot({ path, animations: "disabled", caret: "hide" });
    }
  }
}
