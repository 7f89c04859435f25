import { expect, test as userTest } from "./accounts.ts";
import { collectErrors, holdScripts } from "./hold-scripts.ts";
import { test } from "./home.ts";
import { newProduct } from "./product.ts";

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the start page has its heading, its field and a notice; other pages do not show it", async ({ page, home }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(home.field).toBeVisible();
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(page).toHaveTitle("Tapthru");
    await expect(page.getByText("{product name}")).toHaveCount(0);
    await page.goto("/login");
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(home.field).toHaveCount(0);
  });
});

test("a link entered before the scripts have loaded is created; one sent with Enter waits for 'Create link'", async ({
  page,
  home,
}) => {
  for (const isSent of [false, true]) {
    const release = await holdScripts(page);
    await page.goto("/", { waitUntil: "commit" });
    await home.field.fill(newProduct().url);
    if (isSent) await home.field.press("Enter");
    release();
    if (isSent) await page.getByRole("button", { name: "Create link" }).click();
    await expect(home.shortLink).toBeVisible();
  }
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

userTest(
  "a user sees the heading of their list before the scripts have loaded, and no links of visitors",
  async ({ page, accounts }) => {
    await accounts.signUp();
    const errors = collectErrors(page);
    const release = await holdScripts(page);
    await page.goto("/dashboard?sort=name", { waitUntil: "commit" });
    await expect(accounts.dashboard).toBeVisible();
    const heading = await accounts.dashboard.elementHandle();
    await expect(page.getByRole("link", { name: "Login" })).toBeHidden();
    release();
    await expect(page.getByText("You haven't created any links yet.")).toBeVisible();
    expect(await heading?.evaluate((element) => element.isConnected)).toBe(true);
    await page.goto("/", { waitUntil: "commit" });
    await expect(page.getByRole("link", { name: "Dashboard" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Login" })).toHaveCount(0);
    expect(errors).toEqual([]);
  },
);

test("a visitor does not see the dashboard before they are led to the start page", async ({ page }) => {
  const errors = collectErrors(page);
  const release = await holdScripts(page);
  await page.goto("/dashboard", { waitUntil: "commit" });
  await expect(page.getByRole("link", { name: "Tapthru" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your Links" })).toBeHidden();
  release();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("textbox")).toBeVisible();
  expect(errors).toEqual([]);
});
