import type { Page } from "@playwright/test";
import { expect } from "./home.ts";

/**
 * Nothing covers a control: each point of each control belongs to it once the browser has scrolled it
 * into view. Behind an open dialog or popover, controls may be covered.
 */
export async function expectReachableControls(page: Page, where: string) {
  const covered = await page.evaluate(async () => {
    const CONTROLS = "a[href], button, input, select, textarea, summary, label:has(input)";
    const SHARES = [0.1, 0.3, 0.5, 0.7, 0.9];
    const SKIP_LINK = "a[href='#content']";
    const MIN_VISIBLE_PX = 2;

    const openLayer = document.querySelector(":modal, :popover-open");
    const controls = [...(openLayer ?? document).querySelectorAll<HTMLElement>(CONTROLS)].filter(
      (control) => control.checkVisibility() && !control.matches(SKIP_LINK),
    );

    const describe = (element: Element | null) => element?.outerHTML.slice(0, 120) ?? "nothing";
    // Around rounded corners, points belong to the element that contains the control.
    const belongsTo = (control: HTMLElement, top: Element | null) =>
      top !== null &&
      (control.contains(top) ||
        top.contains(control) ||
        control.closest("label")?.contains(top) ||
        // A field may have a button inside.
        (control.matches("input") && control.parentElement?.contains(top)));

    /** Scrolls to a line of a long link, if it is not in view yet. */
    const showLine = (rectangle: () => DOMRect) => {
      const { top, bottom } = rectangle();
      if (top < 0 || bottom > innerHeight) scrollBy(0, (top + bottom - innerHeight) / 2);
      return rectangle();
    };

    const problems: string[] = [];
    scrollTo(0, 0);
    for (const control of controls) {
      control.scrollIntoView({ block: "nearest", behavior: "instant" });
      for (let line = 0; line < control.getClientRects().length; line += 1) {
        const rectangle = () => control.getClientRects()[line] ?? new DOMRect();
        const { width, height } = showLine(rectangle);
        if (width <= MIN_VISIBLE_PX || height <= MIN_VISIBLE_PX) continue;
        for (const across of SHARES) {
          for (const down of SHARES) {
            const point = () => {
              const line = rectangle();
              return [line.x + across * line.width, line.y + down * line.height] as const;
            };
            if (belongsTo(control, document.elementFromPoint(...point()))) continue;
            // A control that is taller than the free part of the window is reached by scrolling.
            scrollBy(0, point()[1] - innerHeight / 3);
            const top = document.elementFromPoint(...point());
            if (belongsTo(control, top)) continue;
            problems.push(
              `${describe(control)} under ${describe(top)} at ${point().map(Math.round)}`,
            );
          }
        }
      }
    }
    scrollTo(0, 0);
    return problems;
  });
  expect(covered, where).toEqual([]);
}
