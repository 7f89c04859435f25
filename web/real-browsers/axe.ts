import axe from "axe-core";
import { expect } from "vitest";
import { AXE_OPTIONS } from "../e2e/axe-options.ts";
import type { Page } from "./page.ts";

const RUN = `
return axe.run(document, arguments[0])
  .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) })));`;

const WIDER_THAN_WINDOW = "return document.documentElement.scrollWidth > innerWidth";

/** The same rules as in Chromium, in both themes. Nothing may be wider than the window. */
export async function expectNoViolations(page: Page) {
  expect(await page.run(WIDER_THAN_WINDOW), "wider than the window").toBe(false);
  for (const theme of ["dark", "light"]) {
    await page.run("document.documentElement.dataset.theme = arguments[0]", theme);
    await page.waitForAnimations();
    const violations = await page.run(`${axe.source}\n${RUN}`, AXE_OPTIONS);
    expect(violations, `${theme} theme`).toEqual([]);
  }
}
