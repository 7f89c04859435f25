import type { Locator } from "@playwright/test";
import { keepToastOpen } from "./accessible-page.ts";
import { newAccount } from "./accounts.ts";
import { expect, test as guestTest } from "./home.ts";
import { setFontSize } from "./text-fits.ts";

function isUnderToast(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const toast = document.querySelector(".toast")?.getBoundingClientRect();
    const { top, bottom, left, right } = shown.getBoundingClientRect();
    if (!toast) throw new Error("No toast");
    return top < toast.bottom && bottom > toast.top && left < toast.right && right > toast.left;
  });
}

for (const [size, textSize] of [
  [{ width: 360, height: 640 }, "100%"],
  [{ width: 360, height: 800 }, "200%"],
  [{ width: 768, height: 1024 }, "100%"],
  [{ width: 1280, height: 720 }, "200%"],
] as const) {
  const where = `${size.width}x${size.height} px, text of ${textSize}`;

  guestTest(
    `a toast at the bottom does not scroll the page, which can be scrolled above it, ${where}`,
    async ({ home, page }) => {
      const { email, password } = newAccount();
      await page.setViewportSize(size);
      await page.goto("/login");
      await setFontSize(page, textSize);
      await page.getByLabel("Email", { exact: true }).fill(email);
      const field = page.getByLabel("Password", { exact: true });
      await field.fill(password);
      const before = await page.evaluate(() => scrollY);
      await field.press("Enter");
      await expect(home.toast).toBeVisible();
      await keepToastOpen(page);
      await page.keyboard.press("Tab");
      await expect(home.toast).toBeFocused();
      expect(await page.evaluate(() => scrollY)).toBe(before);
      const box = await home.toast.boundingBox();
      const right = size.width - (box?.x ?? 0) - (box?.width ?? 0);
      const bottom = size.height - (box?.y ?? 0) - (box?.height ?? 0);
      expect(Math.max(right, bottom)).toBeLessThanOrEqual(32);

      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await expect.poll(() => isUnderToast(page.getByRole("contentinfo"))).toBe(false);

      // The keyboard focus is not under the toast either.
      await page.keyboard.press("Escape");
      await expect(field).toBeFocused();
      await field.press("Enter");
      await expect(home.toast).toBeVisible();
      await page.evaluate(() => scrollTo(0, 0));
      await page.getByRole("main").getByRole("button", { name: "Login", exact: true }).focus();
      await expect.poll(() => isUnderToast(page.locator(":focus"))).toBe(false);
    },
  );
}
