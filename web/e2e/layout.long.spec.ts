import type { Locator } from "@playwright/test";
import { keepToastOpen } from "./accessible-page.ts";
import { newAccount } from "./accounts.ts";
import { expect, test } from "./home.ts";
import { setFontSize } from "./text-fits.ts";

for (const width of [360, 1280]) {
  test(`the result moves nothing at ${width} px`, async ({ home, page }) => {
    await page.setViewportSize({ width, height: 900 });
    // In the page: the focused button is scrolled into view.
    const positions = () =>
      page.evaluate(() =>
        ["input", "footer"].map((name) => (document.querySelector(name)?.getBoundingClientRect().top ?? 0) + scrollY),
      );
    const before = await positions();
    await home.createLink();
    expect(await positions()).toEqual(before);
  });
}

// Specification 2.6
test("the theme switch does not cover the top bar, and is in the menu of a small screen", async ({ home, page }) => {
  await expect(home.field).toBeVisible();
  const theme = await page.getByRole("combobox", { name: "Theme" }).boundingBox();
  for (const action of await page.locator("header").locator("a:visible, button:visible").all()) {
    const box = await action.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(theme?.x ?? 0);
  }
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog").getByLabel("Theme").selectOption("Dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

// Specification 2.7
test("the top bar is fixed and translucent, and a page opens at its top", async ({ home, page }) => {
  await expect(home.field).toBeVisible();
  const bar = page.getByRole("banner");
  const before = await bar.boundingBox();
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  expect(await bar.boundingBox()).toEqual(before);
  await expect(bar).toHaveCSS("background-color", /\/ 0?\.75\)$/);
  await expect(bar).toHaveCSS("backdrop-filter", /blur/);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
  await expect(page.getByRole("heading", { name: "Privacy policy" })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

// Specification 2.71
test("toasts are peach, at most 420 px wide, and close on a swipe of 50 px", async ({ home, page }) => {
  await home.createLink();
  await keepToastOpen(page);
  await expect(home.toast).toHaveCSS("background-color", "rgb(255, 205, 178)");
  expect((await home.toast.boundingBox())?.width).toBe(420);
  const swipe = async (distance: number) => {
    const box = await home.toast.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 20];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + distance / 2, y);
    await page.mouse.move(x + distance, y);
    await page.mouse.up();
  };
  await swipe(40);
  await expect(home.toast).toHaveAttribute("data-swipe", "cancel");
  await expect(home.toast).toBeVisible();
  await swipe(60);
  await expect(home.toast).toHaveCount(0);
});

function isUnderToast(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const toast = document.querySelector(".toast")?.getBoundingClientRect();
    const { top, bottom, left, right } = shown.getBoundingClientRect();
    if (!toast) throw new Error("No toast");
    return top < toast.bottom && bottom > toast.top && left < toast.right && right > toast.left;
  });
}

for (const [size, textSize] of [
  [{ width: 360, height: 800 }, "200%"],
  [{ width: 1280, height: 720 }, "100%"],
] as const) {
  const where = `${size.width} px, text of ${textSize}`;
  test(`a toast at the bottom does not scroll the page, which can be scrolled above it, ${where}`, async ({
    home,
    page,
  }) => {
    await page.setViewportSize(size);
    await page.goto("/login");
    await setFontSize(page, textSize);
    await page.getByLabel("Email", { exact: true }).fill(newAccount().email);
    const reset = page.getByRole("button", { name: "Forgot your password?" });
    await reset.focus();
    const before = await page.evaluate(() => scrollY);
    await reset.press("Enter");
    await expect(home.toast).toBeVisible();
    await keepToastOpen(page);
    expect(await page.evaluate(() => scrollY)).toBe(before);
    const box = await home.toast.boundingBox();
    const right = size.width - (box?.x ?? 0) - (box?.width ?? 0);
    const bottom = size.height - (box?.y ?? 0) - (box?.height ?? 0);
    expect(Math.max(right, bottom)).toBeLessThanOrEqual(32);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => isUnderToast(page.getByRole("contentinfo"))).toBe(false);
  });
}
