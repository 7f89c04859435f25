import type { Page } from "@playwright/test";
import { expectNoViolations, waitForAnimations } from "./axe.ts";
import { expect } from "./home.ts";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";
import { expectTextFits, WIDTHS } from "./text-fits.ts";

/** The themes that axe checks at each width. Colors do not depend on the width. */
const AXE_THEMES = new Map<number, readonly ("light" | "dark")[]>([
  [360, ["light", "dark"]],
  [1280, ["dark"]],
]);

/** Focuses the toast, so that it stays open. */
export const keepToastOpen = (page: Page) => page.keyboard.press("F8");

/**
 * Checks the current state of a page: axe finds no violations in either theme, nothing is wider than the screen, and text
 * of 200 % is not clipped.
 * @param widths in pixels, at which the state can be displayed
 */
export async function expectReadablePage(page: Page, { widths = WIDTHS } = {}) {
  if (isTakingScreenshots) return takeScreenshots(page, { widths });
  await expectTextFits(page, widths);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of AXE_THEMES.get(width) ?? []) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
  }
}

/**
 * Also checks that controls keep a border in forced colors, that nothing moves with reduced motion, and that the keyboard
 * focus is always visible.
 */
export async function expectAccessiblePage(page: Page, { widths = WIDTHS } = {}) {
  await expectReadablePage(page, { widths });
  if (isTakingScreenshots) return;
  await expectBordersInForcedColors(page);
  await expectNoMotion(page);
  await expectVisibleFocus(page);
}

/** Forced colors remove backgrounds, so each filled control needs a border. */
async function expectBordersInForcedColors(page: Page) {
  // Elements that are filled only on hover need no border.
  await page.mouse.move(0, 0);
  await waitForAnimations(page);
  await page.evaluate(() => {
    for (const element of document.querySelectorAll("button, a, input, label, [role=dialog], dialog")) {
      const isFilled = !/^rgba\(0, 0, 0, 0\)$/.test(getComputedStyle(element).backgroundColor);
      element.toggleAttribute("data-filled", isFilled && element.checkVisibility());
    }
  });
  await page.emulateMedia({ forcedColors: "active" });
  const borderless = await page.evaluate(() =>
    [...document.querySelectorAll("[data-filled]")]
      .filter((element) => getComputedStyle(element).borderWidth === "0px")
      .map((element) => element.outerHTML),
  );
  expect(borderless, "without a border").toEqual([]);
  await page.emulateMedia({ forcedColors: null });
}

async function expectNoMotion(page: Page) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = await page.evaluate(() => {
    const MOVEMENT = /^(all|transform|translate|rotate|scale|left|top)$/;
    const animated = document.getAnimations().flatMap(({ effect }) => {
      if (!(effect instanceof KeyframeEffect)) return [];
      const moves = effect.getKeyframes().some((frame) => Object.keys(frame).some((key) => MOVEMENT.test(key)));
      return moves && effect.target ? [effect.target] : [];
    });
    const transitioning = [...document.querySelectorAll("body *")].filter((element) => {
      const { transitionProperty, transitionDuration } = getComputedStyle(element);
      const moves = transitionProperty.split(", ").some((property) => MOVEMENT.test(property));
      return moves && transitionDuration !== "0s";
    });
    return [...animated, ...transitioning].map((element) => element.outerHTML);
  });
  expect(moving, "moving").toEqual([]);
  await page.emulateMedia({ reducedMotion: null });
}

const MAX_TAB_STOPS = 40;

/** Each element that Tab focuses has an outline, and no fixed element covers it. */
async function expectVisibleFocus(page: Page) {
  await page.setViewportSize({ width: 640, height: 400 });
  await waitForAnimations(page);
  for (let stops = 0; stops < MAX_TAB_STOPS; stops += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      // The browser outlines its own controls.
      if (element.matches("video")) return { html: "", isVisible: true, hasOutline: true };
      const shown = element.closest("label") ?? element;
      const { x, y, width, height } = shown.getBoundingClientRect();
      const POINTS = [
        [0.5, 0.5],
        [0.1, 0.5],
        [0.9, 0.5],
        [0.5, 0.1],
        [0.5, 0.9],
      ] as const;
      const isVisible = POINTS.some(([across, down]) => {
        const top = document.elementFromPoint(x + across * width, y + down * height);
        return top !== null && (shown.contains(top) || top.contains(shown));
      });
      const hasOutline = [
        getComputedStyle(element),
        getComputedStyle(element, "::after"),
        getComputedStyle(shown),
      ].some(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && outlineWidth !== "0px");
      return { html: element.outerHTML, isVisible, hasOutline };
    });
    if (!stop) return;
    expect(stop).toEqual({ ...stop, isVisible: true, hasOutline: true });
  }
}
