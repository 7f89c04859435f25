import type { Page } from "@playwright/test";
import { expect, test } from "./accounts.ts";
import { expectNoViolations, waitForAnimations } from "./axe.ts";

test.beforeEach(async ({ accounts }) => {
  await accounts.signUp();
});

const entry = (page: Page, name: string) => page.getByRole("banner").getByRole("listitem").getByRole("link", { name });

test("the account menu works by keyboard", async ({ accounts, page }) => {
  const button = accounts.button("Account menu");
  await button.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(entry(page, "Account")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(entry(page, "Account")).toBeHidden();
  await expect(button).toBeFocused();

  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/account");
  await expect(entry(page, "Account")).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();

  await button.focus();
  await page.keyboard.press("Enter");
  await expect(entry(page, "Account")).toHaveAttribute("aria-current", "page");
  await page.mouse.click(300, 600);
  await expect(entry(page, "Account")).toBeHidden();
});

test("the open account menu has no violations, and fits large text", async ({ accounts, page }) => {
  await accounts.button("Account menu").click();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page);
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  await page.setViewportSize({ width: 800, height: 400 });
  for (const name of ["Clicks", "Earnings", "Import", "Account", "Stores and tags"]) {
    const item = entry(page, name);
    await item.focus();
    await expect(item).toBeInViewport({ ratio: 1 });
  }
});

test.describe("small screen", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("the menu's items do not move when the name becomes known", async ({ accounts, page }) => {
    const released = Promise.withResolvers<void>();
    await page.route("/api/session", async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.reload();
    await accounts.button("Open menu").click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    const logOut = menu.getByRole("button", { name: "Log out" });
    await waitForAnimations(page);
    const box = await logOut.boundingBox();
    await expect(menu.getByText("@tapthru.example")).toBeHidden();
    released.resolve();
    await expect(menu.getByText("@tapthru.example")).toBeVisible();
    expect(await logOut.boundingBox()).toEqual(box);
  });
});
