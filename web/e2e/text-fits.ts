import type { Page } from "@playwright/test";
import { FONTS, type Font, setFont } from "./fonts.ts";
import { expect } from "./home.ts";

/** 320 px is the width of a 1280 px window at 400 % zoom. */
export const WIDTHS = [320, 360, 768, 1280];

/**
 * No text overflows the page or is clipped, in a wide and in a narrow font: at each width, in a window
 * of 1280x800 at 200 % zoom, and on a phone with text of 200 %.
 */
export async function expectTextFits(page: Page, widths = WIDTHS) {
  for (const font of FONTS) {
    await setFont(page, font);
    await expectTextFitsInFont(page, widths, font);
  }
  await setFont(page, null);
}

async function expectTextFitsInFont(page: Page, widths: number[], font: Font) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page, `${width} px, ${font}`);
  }
  await page.setViewportSize({ width: 640, height: 400 });
  await expectNoOverflow(page, `zoom of 200 %, ${font}`);
  await page.setViewportSize({ width: 360, height: 640 });
  await setFontSize(page, "200%");
  await expectNoOverflow(page, `text of 200 %, ${font}`);
  await expectNoClippedText(page, `clipped, ${font}`);
  await setFontSize(page, "");
}

async function expectNoOverflow(page: Page, where: string) {
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (scrollWidth > clientWidth && walker.nextNode()) {
      const range = document.createRange();
      range.selectNode(walker.currentNode);
      if (range.getBoundingClientRect().right > clientWidth) texts.push(range.toString());
    }
    return { px: Math.max(0, scrollWidth - clientWidth), texts };
  });
  expect(overflow, where).toEqual({ px: 0, texts: [] });
}

async function expectNoClippedText(page: Page, where: string) {
  const clipped = await page.evaluate(() => {
    const isClipped = (element: Element) => {
      const { overflowX, overflowY, webkitLineClamp, display } = getComputedStyle(element);
      const hides = [overflowX, overflowY].some((overflow) => /hidden|clip/.test(overflow));
      const isIntended =
        webkitLineClamp !== "none" || display === "inline" || element.matches("input");
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const overflows = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
      return hides && !isIntended && overflows && clientWidth > 1;
    };
    return [...document.querySelectorAll("body *")]
      .filter(isClipped)
      .map((element) => element.outerHTML);
  });
  expect(clipped, where).toEqual([]);
}

/** Through the element's style object: the page's Content-Security-Policy allows it. */
function setFontSize(page: Page, fontSize: string) {
  return page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, fontSize);
}
