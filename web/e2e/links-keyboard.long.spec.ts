import type { Page } from "@playwright/test";
import { expect, newProduct, test } from "./links.ts";

/** Presses Tab until the focus is on a control of this name. */
async function tabTo(page: Page, role: "button" | "link", name: string) {
  const control = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 40; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(control).toBeFocused();
}

test("two links skip to the first card", async ({ links, page }) => {
  await links.createAndList();
  for (const name of ["Skip to content", "Skip to your links"]) {
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name })).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("Tab");
  await expect(links.cards.first().getByRole("link")).toBeFocused();
});

test("a link is created, renamed and deleted by keyboard", async ({ links, page }) => {
  const { asin, url } = newProduct();
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), url);
  await tabTo(page, "button", "Create link");
  await page.keyboard.press("Enter");
  await expect(links.field).toBeVisible();
  for (let presses = 0; presses < 12; presses += 1) {
    if (await links.field.evaluate((field) => field === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("ControlOrMeta+v");
  await expect(links.name).toHaveText(`Stand-in product ${asin}`, { timeout: 15_000 });

  await tabTo(page, "button", "Copy link");
  await page.keyboard.press("Enter");
  await expect(links.toast).toHaveText("Copied!Link copied to clipboard");
  await tabTo(page, "button", "Show QR code");

  await links.button("Edit nickname").press("Enter");
  await expect(page.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("Typed");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(links.name).toHaveText("Typed");
  await expect(links.button("Edit nickname")).toBeFocused();

  await page.keyboard.press("Enter");
  await page.keyboard.type("Discarded");
  await page.keyboard.press("Escape");
  await tabTo(page, "button", "Discard");
  await page.keyboard.press("Enter");
  await expect(links.button("Edit nickname")).toBeFocused();
  await expect(links.name).toHaveText("Typed");

  await tabTo(page, "button", "Delete");
  await page.keyboard.press("Enter");
  const [cancel, confirm] = ["Cancel", "Delete"].map((name) => links.dialog.getByRole("button", { name }));
  await expect(links.dialog).toBeVisible();
  await expect(cancel ?? links.dialog).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(links.dialog).toBeHidden();
  await expect(links.button("Delete")).toBeFocused();

  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(confirm ?? links.dialog).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard");
  await expect(links.toast).toHaveText("Link deletedThe link has been successfully deleted.");
});

test("the focus stays on 'Create link' while the dashboard loads", async ({ links, page }) => {
  await links.create();
  const finishLoading = await links.openLoadingDashboard();
  await tabTo(page, "button", "Create link");
  finishLoading();
  await expect(links.search).toBeVisible();
  await expect(links.button("Create link")).toBeFocused();
});

test("the confirmation traps the focus", async ({ links, page }) => {
  await links.openNew();
  await links.button("Delete").click();
  for (let presses = 0; presses < 5; presses += 1) {
    await page.keyboard.press("Tab");
    const isBehind = await page.evaluate(() => {
      const focused = document.activeElement;
      return focused !== document.body && focused?.closest("dialog") === null;
    });
    expect(isBehind).toBe(false);
  }
});

test("Tab moves from a card's link to its buttons, whose menu and dialog return the focus", async ({ links, page }) => {
  const { asin, shortCode } = await links.openNew();
  await page.goto("/dashboard");
  const card = links.cards.first();
  await expect(card).toBeVisible();
  await tabTo(page, "link", `Stand-in product ${asin}`);
  await page.keyboard.press("Tab");
  await expect(links.button(`Copy link of Stand-in product ${asin}`)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(links.toast).toHaveText("Copied!Link copied to clipboard");
  await page.keyboard.press("Tab");
  const more = links.button(`More actions for Stand-in product ${asin}`);
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Copy link" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "QR code" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "QR code" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/link/${shortCode}`);
});
