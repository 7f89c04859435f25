import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { AXE_OPTIONS } from "./axe-options.ts";

/** Colors are not final while animations run. Those in a closed `<details>` never end. */
export async function waitForAnimations(page: Page) {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => {
      const isShown = effect instanceof KeyframeEffect && effect.target?.checkVisibility();
      return isShown && effect.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
    });
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

export async function expectNoViolations(page: Page) {
  await waitForAnimations(page);
  // The other mode also opens a page for each check, for frames from other origins. There are none.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await axe.options({ ...AXE_OPTIONS, resultTypes: ["violations"] }).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))).toEqual([]);
}
