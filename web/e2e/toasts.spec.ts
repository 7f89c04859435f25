import type { Page } from "@playwright/test";
import { keepToastOpen } from "./accessible-page.ts";
import { expect, test as visitorTest } from "./home.ts";
import { test as userTest } from "./links.ts";
import { expectReachableControls } from "./reachable-controls.ts";

const SIZES = [
  { width: 360, height: 640 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 720 },
];

/** Goes to another page within the app, which keeps the toast. */
async function goTo(page: Page, path: string) {
  await page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  }, path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("[data-loading]")).toHaveCount(0);
}

async function expectToastCoversNothing(page: Page) {
  const toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  await keepToastOpen(page);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect(toast).toBeVisible();
    await expectReachableControls(page, `${size.width} px`);
  }
}

for (const path of [
  "/",
  "/login",
  "/signup",
  "/report",
  "/privacy",
  "/privacy/amazon-ads-api",
  "/nowhere",
]) {
  visitorTest(`a toast covers no control on ${path}`, async ({ home, page }) => {
    await home.field.press("Enter");
    await expect(home.toast).toBeVisible();
    await keepToastOpen(page);
    if (path !== "/") await goTo(page, path);
    await expectToastCoversNothing(page);
  });
}

visitorTest("a toast covers no control beside a new link", async ({ home, page }) => {
  await home.createLink();
  await expect(home.toast).toBeVisible();
  await expectToastCoversNothing(page);
});

for (const path of ["/dashboard", "/link-creation", "/link/*", "/account", "/amazon-ads-auth"]) {
  userTest(`a toast covers no control on ${path}`, async ({ links, page }) => {
    const shortCode = await links.create();
    await page.goto("/link-creation");
    await links.field.press("Enter");
    await expect(links.toast).toBeVisible();
    await keepToastOpen(page);
    if (path !== "/link-creation") await goTo(page, path.replace("*", shortCode));
    await expectToastCoversNothing(page);
  });
}
