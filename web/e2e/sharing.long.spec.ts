import type { Page } from "@playwright/test";
import { expect, Home, PRODUCT, test } from "./home.ts";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";

/** The address that the system opens when a user shares a text of Amazon's app with the installed app. */
async function shareAddress(page: Page): Promise<string> {
  const { share_target: target } = await (await page.request.get("/manifest.webmanifest")).json();
  expect(target.method).toBe("GET");
  return `${target.action}?${new URLSearchParams({ [target.params.text]: `A lamp! ${PRODUCT} via @amazon` })}`;
}

const createButton = (page: Page) => page.getByRole("main").getByRole("button", { name: "Create link", exact: true });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

const VISITOR_TITLE = "a shared text fills the visitor's field, and only the button creates and copies the link";
test(VISITOR_TITLE, { tag: "@screenshots" }, async ({ page }) => {
  const home = new Home(page);
  let creations = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/generate")) creations += 1;
  });
  await page.goto(await shareAddress(page));
  await expect(home.field).toHaveValue(PRODUCT);
  await expect(createButton(page)).toBeFocused();
  await page.waitForLoadState("networkidle");
  expect(creations).toBe(0);
  if (isTakingScreenshots) await takeScreenshots(page);
  await page.keyboard.press("Enter");
  await expect(home.toast).toContainText("Link copied to clipboard");
  expect(await copied(page)).toBe(await home.shortLink.getAttribute("href"));
  await expect(createButton(page)).toHaveCount(0);
  expect(creations).toBe(1);
});

test("the bookmarklet opens the field with the address of the product's page", async ({ page }) => {
  await page.goto("/share");
  const code = (await page.getByRole("link", { name: "Shorten with Tapthru" }).getAttribute("href")) ?? "";
  await page.goto(PRODUCT);
  const opened = page.waitForEvent("popup");
  // A bookmark navigates to its address in the same way.
  await page.evaluate((address) => {
    location.href = address;
  }, code);
  await expect(new Home(await opened).field).toHaveValue(PRODUCT);
  expect(page.url()).toBe(PRODUCT);
});
