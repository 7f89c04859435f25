import type { Page } from "@playwright/test";
import { expect } from "./home.ts";

/**
 * The content of each visible box (with a border or a background) stays inside the box, no two cards of
 * a list overlap, and no text is broken into more than two lines of one or two letters.
 */
export async function expectIntactBoxes(page: Page, where: string) {
  const problems = await page.evaluate(() => {
    const MIN_LETTERS_PER_LINE = 3;
    const describe = (element: Element | null) => element?.outerHTML.slice(0, 160) ?? "";
    const visible = [...document.querySelectorAll("#root *")].filter(
      (element) => element.checkVisibility() && !element.closest("svg"),
    );

    const overflowing = visible.filter((element) => {
      const { borderTopWidth, backgroundColor, display, webkitLineClamp, overflowY } =
        getComputedStyle(element);
      const isBox = borderTopWidth !== "0px" || !/^rgba\(0, 0, 0, 0\)$/.test(backgroundColor);
      const isExempt =
        display === "inline" ||
        webkitLineClamp !== "none" ||
        /auto|scroll/.test(overflowY) ||
        element.matches("input, textarea");
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const overflows = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
      return isBox && !isExempt && overflows && clientWidth > 2;
    });

    const cards = [...document.querySelectorAll("main li")];
    const overlapping = cards.filter((card, index) => {
      const next = cards[index + 1];
      if (!next) return false;
      const [a, b] = [card.getBoundingClientRect(), next.getBoundingClientRect()];
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      return down > 0.5 && across > 0.5 && !card.contains(next);
    });

    const broken: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      const letters = textContent?.trim().length ?? 0;
      const range = document.createRange();
      range.selectNode(walker.currentNode);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      const isRead = parentElement?.checkVisibility() && parentElement.clientWidth !== 1;
      if (isRead && lines > 2 && letters / lines < MIN_LETTERS_PER_LINE)
        broken.push(`${textContent}`);
    }
    return {
      overflowing: overflowing.map(describe),
      overlapping: overlapping.map(describe),
      broken,
    };
  });
  expect(problems, where).toEqual({ overflowing: [], overlapping: [], broken: [] });
}
