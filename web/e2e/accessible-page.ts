import type { Page } from "@playwright/test";
import { TOAST_FOCUS_KEY } from "@tapthru/proto/rules/limits";
import { expectNoViolations, waitForAnimations } from "./axe.ts";
import { expect } from "./home.ts";
import { expectRoomForText, WIDTHS } from "./room-for-text.ts";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";

/** Where axe looks; what it says of colours holds at each width. */
const AXE_LOOKS = new Map<number, readonly ("light" | "dark")[]>([
  [360, ["light", "dark"]],
  [1280, ["dark"]],
]);

/** A toast with the focus stays. */
export const keepToast = (page: Page) => page.keyboard.press(TOAST_FOCUS_KEY);

/** Takes away a toast that is not what is looked at. */
export async function closeToast(page: Page) {
  const region = page.getByRole("region", { name: "Notifications" });
  await region.getByRole("button", { name: "Close" }).click();
  await expect(region.getByRole("listitem")).toHaveCount(0);
}

/**
 * What holds of a page in each of its states: axe finds nothing in either theme, nothing is wider
 * than the screen, no text is lost when it is twice as large, forced colours leave controls their
 * edges, nothing moves for who wants no movement, and the keyboard's focus is always to be seen.
 * @param widths all that the state can be shown in
 */
export async function expectAccessiblePage(page: Page, { widths = WIDTHS } = {}) {
  if (isTakingScreenshots) return takeScreenshots(page, { widths });
  await expectRoomForText(page, widths);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of AXE_LOOKS.get(width) ?? []) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
  }
  await expectEdgesInForcedColors(page);
  await expectStillness(page);
  await expectFocusInSight(page);
}

/** Forced colours take backgrounds away: what is told by one needs a border. */
async function expectEdgesInForcedColors(page: Page) {
  // What is filled only under the pointer has no edge to lose.
  await page.mouse.move(0, 0);
  await waitForAnimations(page);
  await page.evaluate(() => {
    for (const element of document.querySelectorAll(
      "button, a, input, label, [role=dialog], dialog",
    )) {
      const isFilled = !/^rgba\(0, 0, 0, 0\)$/.test(getComputedStyle(element).backgroundColor);
      element.toggleAttribute("data-filled", isFilled && element.checkVisibility());
    }
  });
  await page.emulateMedia({ forcedColors: "active" });
  const edgeless = await page.evaluate(() =>
    [...document.querySelectorAll("[data-filled]")]
      .filter((element) => getComputedStyle(element).borderWidth === "0px")
      .map((element) => element.outerHTML),
  );
  expect(edgeless, "without an edge").toEqual([]);
  await page.emulateMedia({ forcedColors: null });
}

async function expectStillness(page: Page) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = await page.evaluate(() => {
    const MOVEMENT = /^(all|transform|translate|rotate|scale|left|top)$/;
    const animated = document.getAnimations().flatMap(({ effect }) => {
      if (!(effect instanceof KeyframeEffect)) return [];
      const moves = effect
        .getKeyframes()
        .some((frame) => Object.keys(frame).some((key) => MOVEMENT.test(key)));
      return moves && effect.target ? [effect.target] : [];
    });
    const gliding = [...document.querySelectorAll("body *")].filter((element) => {
      const { transitionProperty, transitionDuration } = getComputedStyle(element);
      const moves = transitionProperty.split(", ").some((property) => MOVEMENT.test(property));
      return moves && transitionDuration !== "0s";
    });
    return [...animated, ...gliding].map((element) => element.outerHTML);
  });
  expect(moving, "moving").toEqual([]);
  await page.emulateMedia({ reducedMotion: null });
}

const MOST_STOPS = 40;

/** Each stop of the Tab key shows where it is, and nothing that is fixed covers it. */
async function expectFocusInSight(page: Page) {
  await page.setViewportSize({ width: 640, height: 400 });
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      // The browser marks its own controls.
      if (element.matches("video")) return { html: "", isSeen: true, isMarked: true };
      const shown = element.closest("label") ?? element;
      const { x, y, width, height } = shown.getBoundingClientRect();
      const SPOTS = [
        [0.5, 0.5],
        [0.1, 0.5],
        [0.9, 0.5],
        [0.5, 0.1],
        [0.5, 0.9],
      ] as const;
      const isSeen = SPOTS.some(([across, down]) => {
        const top = document.elementFromPoint(x + across * width, y + down * height);
        return top !== null && (shown.contains(top) || top.contains(shown));
      });
      const isMarked = [
        getComputedStyle(element),
        getComputedStyle(element, "::after"),
        getComputedStyle(shown),
      ].some(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && outlineWidth !== "0px");
      return { html: element.outerHTML, isSeen, isMarked };
    });
    if (!stop) return;
    expect(stop).toEqual({ ...stop, isSeen: true, isMarked: true });
  }
}
