import type { Page } from "@playwright/test";
import { expect, test as guestTest } from "./home.ts";
import { testWithOwnAccount } from "./links.ts";

// Labels that other files create move the list on the first visit.
const test = testWithOwnAccount();

/** Chromium rates a page as good up to this score. */
const MAX_SHIFT = 0.1;

/** Waits for the first paint, and for the current content to be painted. */
async function waitForPaint(page: Page) {
  // waitForFunction awaits a promise that a predicate returns, but then does not poll again.
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  await page.waitForFunction(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

async function expectNoLayoutShift(page: Page, path: string) {
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
    await waitForPaint(page);
    await route.continue();
  });
  await page.goto(path);
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).not.toHaveText(/^Loading/);
  await page.waitForLoadState("networkidle");
  await page.unrouteAll({ behavior: "wait" });
  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  const sum = shifts.reduce((total, shift) => total + Number.parseFloat(shift), 0);
  expect(sum, shifts.join("\n")).toBeLessThan(MAX_SHIFT);
}

for (const width of [360, 1280]) {
  guestTest.describe(`${width} px`, () => {
    guestTest.use({ viewport: { width, height: 800 } });

    for (const path of ["/", "/login", "/signup", "/report", "/share", "/status/app-opening", "/privacy", "/nowhere"]) {
      guestTest(`${path} loads without layout shift`, async ({ page }) => {
        await expectNoLayoutShift(page, path);
      });
    }
  });

  test.describe(`signed in, ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    for (const path of [
      "/",
      "/dashboard",
      "/clicks",
      "/link-creation",
      "/account",
      "/account/security",
      "/account/stores",
      "/account/domains",
      "/account/developers",
      "/account/activity",
      "/account/data",
      "/amazon-ads-auth",
    ]) {
      test(`${path} loads without layout shift`, async ({ page, links }) => {
        await links.create();
        await expectNoLayoutShift(page, path);
      });
    }

    test("a link's page loads without layout shift", async ({ page, links }) => {
      const { shortCode } = await links.openNew();
      await expectNoLayoutShift(page, `/link/${shortCode}`);
    });
  });
}
