import type { Locator, Page } from "@playwright/test";
import { expectIntactBoxes } from "./boxes.ts";
import { FONTS, type Font, setFont } from "./fonts.ts";
import { expect } from "./home.ts";
import { expectReachableControls } from "./reachable-controls.ts";

/** 320 px is the width of a 1280 px window at 400 % zoom. */
export const WIDTHS = [320, 360, 768, 1280];

/** Steps of text size on a phone; a desktop is checked with the largest only. */
const TEXT_SIZES = { 360: ["130%", "200%"], 1280: ["200%"] };

/**
 * No text overflows the page or is clipped, in a wide and in a narrow font: at each width, in a window
 * of 1280x800 at 200 % zoom, and on a phone and a desktop with text of up to 200 %, where boxes also grow
 * with their text and nothing covers a control.
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
  for (const [width, sizes] of Object.entries(TEXT_SIZES)) {
    await page.setViewportSize({ width: Number(width), height: 800 });
    for (const size of sizes) {
      const where = `${width} px, text of ${size}, ${font}`;
      await setFontSize(page, size);
      await expectNoOverflow(page, where);
      await expectNoClippedText(page, where);
      await expectIntactBoxes(page, where);
      await expectReachableControls(page, where);
    }
    await setFontSize(page, "");
  }
}

/** On a phone with text of 200 %, in a wide font, a text breaks between words only. */
export async function expectWholeWords(text: Locator) {
  const page = text.page();
  await setFont(page, "DejaVu Sans");
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
  await setFont(page, null);
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

/** Through the element's style object: the page's Content-Security-Policy allows it. Waits for size observers. */
export function setFontSize(page: Page, fontSize: string) {
  return page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, fontSize);
}
