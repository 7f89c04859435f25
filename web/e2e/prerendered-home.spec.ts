import type { Page } from "@playwright/test";
import { expect, test as userTest } from "./accounts.ts";
import { test } from "./home.ts";
import { PRODUCT } from "./product.ts";

const SCRIPTS = "/assets/*.js";

/** Hydration errors, which React reports and recovers from, among others. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}

/** Delays all scripts until the returned function is called. */
async function holdScripts(page: Page) {
  const released = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("shows the heading, the field and a notice that scripts are required", async ({
    page,
    home,
  }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(home.field).toBeVisible();
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(page).toHaveTitle("Tapthru");
    await expect(page.getByText("{product name}")).toHaveCount(0);
  });

  test("other pages do not show the start page", async ({ page, home }) => {
    await page.goto("/dashboard");
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(home.field).toHaveCount(0);
  });
});

test("a link entered before the scripts have loaded is created", async ({ page, home }) => {
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await home.field.fill(PRODUCT);
  await home.field.press("Enter");
  release();
  await expect(home.shortLink).toBeVisible();
  await expect(home.field).toHaveValue(PRODUCT);
  await expect(page).toHaveURL("/");
});

test("text entered before the scripts have loaded stays, with the caret", async ({
  page,
  home,
}) => {
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await home.field.pressSequentially("amazon");
  release();
  await expect(page.locator("[data-prerendered]")).toHaveCount(0);
  await page.keyboard.type(".de");
  await expect(home.field).toHaveValue("amazon.de");
});

test("a chosen theme applies before the scripts have loaded", async ({ page, home }) => {
  const errors = collectErrors(page);
  await page.addInitScript(() => localStorage.setItem("theme", "dark"));
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await expect(home.field).toBeVisible();
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  release();
  await expect(page.getByRole("button", { name: "Theme: Dark" })).toBeVisible();
  expect(errors).toEqual([]);
});

userTest("a user does not see the links of visitors", async ({ page, accounts }) => {
  await accounts.signUp();
  const errors = collectErrors(page);
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Login" })).toBeHidden();
  release();
  await expect(page.getByRole("link", { name: "Dashboard" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Login" })).toHaveCount(0);
  expect(errors).toEqual([]);
});
