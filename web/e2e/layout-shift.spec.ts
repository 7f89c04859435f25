import type { Page } from "@playwright/test";
import { expect, test as visitorTest } from "./home.ts";
import { test } from "./links.ts";

/** What people do not notice; Chromium calls a page good up to 0.1. */
const UNNOTICED = 0.005;

/** Ends when the page has shown something, and all that is shown by now has been painted. */
async function painted(page: Page) {
  // A predicate that gives a promise is waited for, but not asked again.
  await page.waitForFunction(
    () => performance.getEntriesByName("first-contentful-paint").length > 0,
  );
  await page.waitForFunction(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

async function expectNothingShifts(page: Page, path: string) {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & {
          value: number;
          sources: { node: Element | null }[];
        };
        shifts.push(`${value} ${sources.map(({ node }) => node?.outerHTML?.slice(0, 120))}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.route("/api/**", async (route) => {
    await painted(page);
    await route.continue();
  });
  await page.goto(path);
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).not.toHaveText(
    /^Loading/,
  );
  await page.waitForLoadState("networkidle");
  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  const sum = shifts.reduce((total, shift) => total + Number.parseFloat(shift), 0);
  expect(sum, shifts.join("\n")).toBeLessThan(UNNOTICED);
}

for (const width of [360, 1280]) {
  visitorTest.describe(`${width} px`, () => {
    visitorTest.use({ viewport: { width, height: 800 } });

    for (const path of ["/", "/login", "/signup", "/report", "/privacy", "/nowhere"]) {
      visitorTest(`nothing shifts while ${path} is loaded`, async ({ page }) => {
        await expectNothingShifts(page, path);
      });
    }
  });

  test.describe(`signed in, ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    for (const path of ["/", "/dashboard", "/link-creation", "/account", "/amazon-ads-auth"]) {
      test(`nothing shifts while ${path} is loaded`, async ({ page, links }) => {
        await links.make();
        await expectNothingShifts(page, path);
      });
    }

    test("nothing shifts while a link's page is loaded", async ({ page, links }) => {
      const { shortCode } = await links.openNew();
      await expectNothingShifts(page, `/link/${shortCode}`);
    });
  });
}
