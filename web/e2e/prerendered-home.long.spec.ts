import type { Page } from "@playwright/test";
import { expect, test as userTest } from "./accounts.ts";
import { collectErrors, holdScripts } from "./hold-scripts.ts";
import { type Home, test } from "./home.ts";
import { newProduct, PRODUCT } from "./product.ts";

/** The script of the start page, which loads after the initial script. */
const HOME_SCRIPT = "/assets/home-*.js";

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

test("a link pasted beside the field before the scripts have loaded is created", async ({
  page,
  home,
}) => {
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await home.field.waitFor();
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), PRODUCT);
  await page.keyboard.press("ControlOrMeta+v");
  release();
  await expect(home.shortLink).toBeVisible();
  await expect(home.field).toHaveValue(PRODUCT);
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

/** Opens the start page without its own script, and waits for the rest of the application. */
async function openWithoutHomeScript(page: Page) {
  const release = await holdScripts(page, HOME_SCRIPT);
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.locator("[data-prerendered]")).toHaveCount(0);
  return release;
}

for (const [how, enter] of [
  ["pasted", (home: Home) => home.paste(PRODUCT)],
  [
    "typed and sent with Enter",
    async ({ field }: Home) => {
      await field.pressSequentially(PRODUCT);
      await field.press("Enter");
    },
  ],
] as const) {
  test(`a link ${how} before the field's script has loaded is created`, async ({ page, home }) => {
    const release = await openWithoutHomeScript(page);
    await enter(home);
    release();
    await expect(home.shortLink).toBeVisible();
    await expect(home.field).toHaveValue(PRODUCT);
    await expect(home.field).toBeFocused();
  });
}

test("a tag being typed while the field's script loads is not sent before Enter", async ({
  page,
  home,
}) => {
  const requested: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/generate")) requested.push(request.postDataJSON().url);
  });
  const { url } = newProduct();
  const [untagged = ""] = url.split("?");
  const release = await openWithoutHomeScript(page);
  await home.field.pressSequentially(`${untagged}?tag=me`);
  await page.clock.install();
  release();
  await expect(page.getByText("Press Enter when your link is complete.")).toBeVisible();
  await page.clock.runFor(10_000);
  await page.keyboard.type("-20");
  await expect(home.field).toHaveValue(`${untagged}?tag=me-20`);
  await home.field.press("Enter");
  await expect(home.shortLink).toBeVisible();
  expect(requested).toEqual([`${untagged}?tag=me-20`]);
});

test("links and the menu work before the field's script has loaded", async ({ page, home }) => {
  const errors = collectErrors(page);
  await openWithoutHomeScript(page);
  await home.field.fill("amazon");
  await page.getByRole("link", { name: "Skip to content" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await expect(home.field).toHaveValue("amazon");
  await page.getByRole("link", { name: "Login" }).click();
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  expect(errors).toEqual([]);
});

test("if the field's script cannot be loaded, the text stays until it can", async ({
  page,
  home,
}) => {
  await page.route(HOME_SCRIPT, (route) => route.abort());
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.locator("[data-prerendered]")).toHaveCount(0);
  await home.field.fill(PRODUCT);
  await expect(page.getByText("Please reload the page.").first()).toBeVisible();
  await expect(home.field).toHaveValue(PRODUCT);
  await page.unroute(HOME_SCRIPT);
  await home.field.press("End");
  await expect(home.shortLink).toBeVisible();
  await expect(home.field).toHaveValue(PRODUCT);
});

test("the prerendered demo video is not replaced while its script loads", async ({
  page,
  home,
}) => {
  const release = await holdScripts(page, "/assets/demo-video-*.js");
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
