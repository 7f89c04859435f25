import type { Locator, Page } from "@playwright/test";
import { expect } from "./home.ts";

/** 320 px is the width of a 1280 px window at 400 % zoom. */
export const WIDTHS = [320, 360, 768, 1280];

/** No text overflows the page at any width, and none is clipped on a phone with text of 200 %. */
export async function expectTextFits(page: Page, widths = WIDTHS) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page, `${width} px`);
  }
  await page.setViewportSize({ width: 360, height: 800 });
  await setFontSize(page, "200%");
  await expectNoOverflow(page, "text of 200 %");
  await expectNoClippedText(page, "text of 200 %");
  await setFontSize(page, "");
}

/** On a phone with text of 200 %, a text breaks between words only. */
export async function expectWholeWords(text: Locator) {
  const page = text.page();
  await page.setViewportSize({ width: 360, height: 800 });
  await setFontSize(page, "200%");
  const broken = await text.evaluate((element) => {
    const node = element.firstChild as Text;
    const range = document.createRange();
    return [...node.data.matchAll(/\S+/g)]
      .filter(({ index, 0: word }) => {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        return range.getClientRects().length > 1;
      })
      .map(([word]) => word);
  });
  expect(broken, "broken words").toEqual([]);
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
      const isIntended = webkitLineClamp !== "none" || display === "inline" || element.matches("input");
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const overflows = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
      return hides && !isIntended && overflows && clientWidth > 1;
    };
    return [...document.querySelectorAll("body *")].filter(isClipped).map((element) => element.outerHTML);
  });
  expect(clipped, where).toEqual([]);
}

/** Through the element's style object: the page's Content-Security-Policy allows it. Waits for size observers. */
export function setFontSize(page: Page, fontSize: string) {
  return page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, fontSize);
}
