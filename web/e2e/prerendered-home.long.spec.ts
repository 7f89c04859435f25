import { expect, test as userTest } from "./accounts.ts";
import { collectErrors, holdScripts } from "./hold-scripts.ts";
import { test } from "./home.ts";
import { newProduct, PRODUCT } from "./product.ts";

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("shows the heading, the field and a notice that scripts are required", async ({ page, home }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(home.field).toBeVisible();
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(page).toHaveTitle("Tapthru");
    await expect(page.getByText("{product name}")).toHaveCount(0);
  });

  test("other pages do not show the start page", async ({ page, home }) => {
    await page.goto("/login");
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(home.field).toHaveCount(0);
  });
});

test("a link entered before the scripts have loaded is created", async ({ page, home }) => {
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await home.field.fill(PRODUCT);
  release();
  await expect(home.shortLink).toBeVisible();
  await expect(home.field).toHaveValue(PRODUCT);
});

test("a link sent with Enter before the scripts have loaded waits for 'Create link'", async ({ page, home }) => {
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await home.field.fill(PRODUCT);
  await home.field.press("Enter");
  release();
  await expect(home.field).toHaveValue(PRODUCT);
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(home.shortLink).toBeVisible();
});

test("links pasted on the page before the scripts have loaded are created", async ({ page, home }) => {
  const urls = [newProduct().url, newProduct().url];
  await page.evaluate((text) => navigator.clipboard.writeText(text), urls.join("\n"));
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await home.field.waitFor();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(home.field).toHaveValue(urls.join(" "));
  release();
  await expect(page.getByRole("region", { name: "New links" }).getByRole("status")).toHaveText("2 links are ready");
});

test("text entered before the scripts have loaded stays, with the caret", async ({ page, home }) => {
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await home.field.pressSequentially("amazon");
  release();
  await expect(page.locator("[data-prerendered]")).toHaveCount(0);
  await page.keyboard.type(".de");
  await expect(home.field).toHaveValue("amazon.de");
});

test("the prerendered demo video is not replaced while its script loads", async ({ page, home }) => {
  const release = await holdScripts(page, "/assets/landing-*.js");
  await page.goto("/", { waitUntil: "commit" });
  const video = await page.locator("video").elementHandle();
  await home.field.fill("not a link");
  await home.field.press("Enter");
  await expect(home.field).toHaveAccessibleDescription("Please enter a valid Amazon URL");
  const isAttached = () => video?.evaluate((element) => element.isConnected);
  expect(await isAttached()).toBe(true);
  release();
  await page.waitForLoadState("networkidle");
  expect(await isAttached()).toBe(true);
});

test("a chosen theme applies before the scripts have loaded", async ({ page, home }) => {
  const errors = collectErrors(page);
  await page.addInitScript(() => localStorage.setItem("theme", "dark"));
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await expect(home.field).toBeVisible();
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  release();
  await expect(page.getByRole("combobox", { name: "Theme" })).toHaveValue("dark");
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
