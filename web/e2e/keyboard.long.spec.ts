import type { Page } from "@playwright/test";
import { expect, PRODUCT, test } from "./home.ts";
import { test as userTest } from "./links.ts";

/** Presses Tab until the focus is on a control of this name. */
async function tabTo(page: Page, role: "link" | "textbox", name: string) {
  const control = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 40; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(control).toBeFocused();
}

// Specification 2.19
test("a visitor creates, copies and saves a link by keyboard", async ({ home, page }) => {
  const { keyboard } = page;
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), PRODUCT);
  for (const name of ["Skip to content", "Tapthru", "Login", "Sign up for free"]) {
    await keyboard.press("Tab");
    await expect(page.getByRole("link", { name })).toBeFocused();
  }
  await tabTo(page, "textbox", "Amazon product or store link");
  await keyboard.press("ControlOrMeta+v");
  await expect(home.result).toBeVisible();
  await expect(home.field).toBeFocused();
  await keyboard.press("Tab");
  await expect(home.shortLink).toBeFocused();
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(home.toast).toContainText("Link generated!");
  // Specification 2.72
  await keyboard.press("F8");
  await keyboard.press("Tab");
  await keyboard.press("Escape");
  await expect(home.toast).toHaveCount(0);
  await expect(home.copyButton).toBeFocused();

  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "QR code" })).toBeVisible();
  await keyboard.press("Escape");
  await expect(home.result.getByRole("button", { name: "Show QR code" })).toBeFocused();
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/signup");
});

userTest("two links skip to the first card, from which Tab moves to its buttons", async ({ links, page }) => {
  const { asin, shortCode } = await links.openNew();
  await page.goto("/dashboard");
  const card = links.cards.filter({ hasText: asin });
  await expect(card).toBeVisible();
  for (const name of ["Skip to content", "Skip to your links"]) {
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name })).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await tabTo(page, "link", `Stand-in product ${asin}`);
  await page.keyboard.press("Tab");
  await expect(links.button(`Copy link of Stand-in product ${asin}`)).toBeFocused();
  await page.keyboard.press("Tab");
  const more = links.button(`More actions for Stand-in product ${asin}`);
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Copy link" })).toBeFocused();
  await page.keyboard.press("q");
  await expect(page.getByRole("menuitem", { name: "QR code" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "QR code" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Copy link" })).toBeFocused();
  await page.keyboard.press("r");
  await expect(page.getByRole("menuitem", { name: "Rename" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Name, which only you see" })).toBeFocused();
  await page.keyboard.type("Typed in the list");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(links.button("More actions for Typed in the list")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/link/${shortCode}`);
});
