import type { Locator, Page } from "@playwright/test";
import { E2E_BASE_URL } from "../browser-options.ts";
import type { Point, Screenshot } from "./scene.ts";

/** Replaces the stack's origin in the screenshots. */
const SHOWN_ORIGIN = "https://tapthru.example";

/** The URL without its scheme, as apps display it. */
export function displayUrl(url: string): string {
  return url.replace(E2E_BASE_URL, new URL(SHOWN_ORIGIN).host);
}

/** Takes a screenshot of the visible page. */
export async function takeScreenshot(page: Page): Promise<Screenshot> {
  await page.evaluate(
    ([origin, shown]) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { currentNode } = texts;
        currentNode.nodeValue = currentNode.nodeValue?.replace(origin, shown) ?? null;
      }
    },
    [E2E_BASE_URL, SHOWN_ORIGIN] as const,
  );
  const png = await page.screenshot({ animations: "disabled", caret: "hide" });
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  return { src: `data:image/png;base64,${png.toString("base64")}`, ...size };
}

/** The center of an element in the viewport, to tap it. */
export async function centerOf(target: Locator): Promise<Point> {
  const box = await target.boundingBox();
  if (box === null) throw new Error("The element to tap is not on the page");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
