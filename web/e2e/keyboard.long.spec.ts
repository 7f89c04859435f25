import { expect, PRODUCT, test } from "./home.ts";

// Specification 2.19
test("a visitor creates, copies and saves a link by keyboard", async ({ home, page }) => {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), PRODUCT);
  for (const name of ["Skip to content", "Tapthru", "Login", "Sign up for free"]) {
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name })).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await expect(page.getByRole("combobox", { name: "Theme" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(home.field).toBeFocused();

  await page.keyboard.press("ControlOrMeta+v");
  await expect(home.result).toBeVisible();
  await expect(home.field).toBeFocused();

  await page.keyboard.press("Tab");
  await expect(home.shortLink).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(home.toast).toContainText("Copied!");

  await page.keyboard.press("Tab");
  const qrButton = home.result.getByRole("button", { name: "Show QR code" });
  await expect(qrButton).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "QR code" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(qrButton).toBeFocused();

  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/signup");
  const stored = await page.evaluate(() => sessionStorage.getItem("pendingLink"));
  expect(JSON.parse(stored ?? "null")).toMatchObject({
    originalUrl: PRODUCT,
    shortUrl: await page.evaluate(() => navigator.clipboard.readText()),
    returnPath: "/dashboard",
  });
});

test("typing a complete link creates the short link", async ({ home, page }) => {
  await home.field.focus();
  await page.keyboard.type("amazon.de/dp/B08N5WRWNW");
  await expect(home.result).toBeVisible();
});

// Specification 2.72
test("F8 focuses the toasts; Escape closes the toast and restores the focus", async ({ home, page }) => {
  await home.createLink();
  await page.keyboard.press("F8");
  await expect(page.getByRole("region", { name: "Notifications" }).getByRole("list")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(home.toast).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(home.toast).toHaveCount(0);
  await expect(home.field).toBeFocused();
});

test("a letter selects the theme, and a reload keeps it", async ({ home, page }) => {
  await page.getByRole("combobox", { name: "Theme" }).press("d");
  await page.reload({ waitUntil: "commit" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await home.field.waitFor();
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
});

test.describe("small screen", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  // Specification 2.11
  test("the open menu traps the focus, and closing restores it", async ({ home, page }) => {
    const openButton = page.getByRole("button", { name: "Open menu" });
    const menu = page.getByRole("dialog", { name: "Menu" });
    await openButton.press("Enter");
    await expect(page.getByRole("button", { name: "Close menu" })).toBeFocused();
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press("Tab");
      const isOutside = await menu.evaluate(
        (dialog) => document.activeElement !== document.body && !dialog.contains(document.activeElement),
      );
      expect(isOutside).toBe(false);
    }
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
    await expect(openButton).toBeFocused();
    await expect(home.field).toBeVisible();
  });

  test("a click outside the menu closes it", async ({ page, home }) => {
    await expect(home.field).toBeVisible();
    await page.getByRole("button", { name: "Open menu" }).click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    await expect(menu.getByRole("link", { name: "Login" })).toBeVisible();
    await page.mouse.click(20, 400);
    await expect(menu).toBeHidden();
  });
});
