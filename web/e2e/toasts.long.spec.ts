import type { Locator, Page } from "@playwright/test";
import { closeToast, keepToastOpen } from "./accessible-page.ts";
import { newAccount } from "./accounts.ts";
import { expect, PRODUCT, test as visitorTest } from "./home.ts";
import { setFontSize } from "./text-fits.ts";

const SIZES = [
  { width: 360, height: 640 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 720 },
];

const LONG_ERROR = "The server could not create this link at the moment. ".repeat(4).trim();

/** Shows an error whose text has several lines at each size. */
async function showLongError(page: Page, field: Locator) {
  await page.route("/api/generate", (route) => route.fulfill({ status: 500, body: LONG_ERROR }));
  await field.fill("https://www.amazon.com/dp/B0CX23V2ZK");
  await field.press("Enter");
  const toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  await expect(toast).toHaveText(`ErrorServer error: ${LONG_ERROR}`);
  await keepToastOpen(page);
}

visitorTest("a toast of one line is in the top bar of a wide screen", async ({ home, page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await home.createLink();
  const [toast, bar] = await Promise.all([
    home.toast.boundingBox(),
    page.getByRole("banner").boundingBox(),
  ]);
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(bar?.height ?? 0);
});

/** Whether a toast covers a part of an element where the page was scrolled to when the toast appeared. */
function isUnderToast(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const toast = document.querySelector(".toast")?.getBoundingClientRect();
    const { top, bottom, left, right } = shown.getBoundingClientRect();
    if (!toast) throw new Error("No toast");
    return top < toast.bottom && bottom > toast.top && left < toast.right && right > toast.left;
  });
}

const PHONE = [{ width: 360, height: 640 }, "100%"] as const;
const PHONE_WITH_LARGE_TEXT = [{ width: 360, height: 800 }, "200%"] as const;
const DESKTOP_WITH_LARGE_TEXT = [{ width: 1280, height: 720 }, "200%"] as const;

for (const [size, textSize] of [PHONE, PHONE_WITH_LARGE_TEXT, DESKTOP_WITH_LARGE_TEXT]) {
  const where = `${size.width}x${size.height} px, text of ${textSize}`;

  visitorTest(
    `the toast of a failed login covers neither field nor alert, ${where}`,
    async ({ home, page }) => {
      const { email, password } = newAccount();
      await page.setViewportSize(size);
      await page.goto("/login");
      await setFontSize(page, textSize);
      await page.getByLabel("Email", { exact: true }).fill(email);
      const field = page.getByLabel("Password", { exact: true });
      await field.fill(password);
      await field.press("Enter");
      await expect(home.toast).toBeVisible();
      await expect(field).toBeFocused();
      await keepToastOpen(page);
      await expect(field).toBeInViewport({ ratio: 1 });
      await expect.poll(() => isUnderToast(field)).toBe(false);
      await expect.poll(() => isUnderToast(page.getByRole("alert"))).toBe(false);
    },
  );
}

// On a phone with large text, the field and the new link do not fit above the toast together: the field leaves.
for (const [size, textSize] of [PHONE, PHONE_WITH_LARGE_TEXT, DESKTOP_WITH_LARGE_TEXT]) {
  const where = `${size.width}x${size.height} px, text of ${textSize}`;

  visitorTest(
    `the toast of a new link does not cover 'Copy link', ${where}`,
    async ({ home, page }) => {
      await page.setViewportSize(size);
      await setFontSize(page, textSize);
      await home.createLink();
      await expect(home.toast).toBeVisible();
      await keepToastOpen(page);
      await expect(home.copyButton).toBeInViewport({ ratio: 1 });
      await expect.poll(() => isUnderToast(home.copyButton)).toBe(false);
    },
  );
}

for (const size of SIZES.slice(0, 2)) {
  visitorTest(
    `focusing a toast at the bottom does not scroll, ${size.width} px`,
    async ({ home, page }) => {
      await page.setViewportSize(size);
      await showLongError(page, home.field);
      await page.keyboard.press("Tab");
      await expect(home.toast).toBeFocused();
      expect(await page.evaluate(() => scrollY)).toBe(0);
    },
  );
}

visitorTest(
  "the toast of an invalid link leaves the field in view above an earlier link",
  async ({ home, page }) => {
    const [size, textSize] = PHONE_WITH_LARGE_TEXT;
    await page.setViewportSize(size);
    await setFontSize(page, textSize);
    await home.createLink();
    await closeToast(page);
    await home.paste("https://example.com");
    await expect(home.toast).toContainText("Please enter a valid Amazon URL");
    await keepToastOpen(page);
    await expect(home.field).toBeInViewport({ ratio: 1 });
    await expect.poll(() => isUnderToast(home.field)).toBe(false);
  },
);

visitorTest(
  "a toast does not scroll to a focused control below the window",
  async ({ home, page }) => {
    const [size] = PHONE;
    await page.setViewportSize(size);
    await page.route("/api/generate", (route) => route.fulfill({ status: 500, body: LONG_ERROR }));
    await page.locator("main video").focus();
    await page.evaluate(async (text) => {
      scrollTo(0, 0);
      await navigator.clipboard.writeText(text);
    }, PRODUCT);
    await page.keyboard.press("ControlOrMeta+v");
    await expect(home.toast).toContainText(LONG_ERROR);
    await keepToastOpen(page);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  },
);
