import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { AXE_OPTIONS } from "./axe-options.ts";

/** Colors are not final while animations run. */
export async function waitForAnimations(page: Page) {
  await page.evaluate(async () => {
    const finite = document.getAnimations().filter(({ effect }) => {
      return effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
    });
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
}

export async function expectNoViolations(page: Page) {
  await waitForAnimations(page);
  const { violations } = await new AxeBuilder({ page }).options(AXE_OPTIONS).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))).toEqual(
    [],
  );
}
