import type { Page } from "@playwright/test";
import { Accounts } from "./accounts.ts";
import { expect, Home, PRODUCT, test } from "./home.ts";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";

/** What Amazon's app shares. */
const SHARED = `Check out this lamp! ${PRODUCT} via @amazon`;

/** The address that the system opens when a user shares a text with the installed app. */
async function shareAddress(page: Page, shared: Record<string, string>): Promise<string> {
  const { share_target: target } = await (await page.request.get("/manifest.webmanifest")).json();
  expect(target.method).toBe("GET");
  const query = Object.entries(shared).map(([name, value]) => [target.params[name], value]);
  return `${target.action}?${new URLSearchParams(query)}`;
}

const createButton = (page: Page) => page.getByRole("main").getByRole("button", { name: "Create link", exact: true });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

function countCreations(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/generate")) count += 1;
  });
  return () => count;
}

const VISITOR_TITLE = "a shared text fills the visitor's field, and only the button creates and copies the link";
test(VISITOR_TITLE, { tag: "@screenshots" }, async ({ page }) => {
  const home = new Home(page);
  const creations = countCreations(page);
  await page.goto(await shareAddress(page, { title: "A lamp", text: SHARED }));
  await expect(page).toHaveURL(/^[^?]*\/\?url=/);
  await expect(home.field).toHaveValue(PRODUCT);
  await expect(createButton(page)).toBeFocused();
  await page.waitForLoadState("networkidle");
  expect(creations()).toBe(0);
  if (isTakingScreenshots) await takeScreenshots(page);

  await page.keyboard.press("Enter");
  await expect(home.shortLink).toBeVisible();
  await expect(home.toast).toContainText("Link copied to clipboard");
  expect(await copied(page)).toBe(await home.shortLink.getAttribute("href"));
  await expect(createButton(page)).toHaveCount(0);
  if (isTakingScreenshots) await takeScreenshots(page);
  expect(creations()).toBe(1);
});

test("a shared text fills the field of the page for new links when signed in", async ({ page }) => {
  await new Accounts(page).signUp();
  await page.goto(await shareAddress(page, { text: SHARED }));
  await expect(page).toHaveURL(/\/link-creation\?url=/);
  await expect(page.getByRole("textbox")).toHaveValue(PRODUCT);
  await createButton(page).click();
  await expect(page).toHaveURL(/\/link\/\w+$/);
  const code = page.url().split("/").at(-1);
  expect(await copied(page)).toMatch(new RegExp(`/l/${code}$`));
});

test("a user who has to log in for /link-creation?url= then finds the field filled", async ({ page }) => {
  const accounts = new Accounts(page);
  const account = await accounts.signUp();
  await accounts.logOut();
  await page.goto(`/link-creation?${new URLSearchParams({ url: PRODUCT })}`);
  await accounts.fillLogin(account);
  await accounts.button("Login").click();
  await expect(page).toHaveURL(/\/link-creation\?url=/);
  await expect(page.getByRole("textbox")).toHaveValue(PRODUCT);
});

test("the bookmarklet opens the field with the address of the product's page", async ({ page }) => {
  await page.goto("/share");
  const bookmarklet = page.getByRole("link", { name: "Shorten with Tapthru" });
  const code = (await bookmarklet.getAttribute("href")) ?? "";
  await bookmarklet.click();
  await expect(page.getByRole("listitem").filter({ hasText: "Drag this link" })).not.toHaveCount(0);
  await expect(page).toHaveURL("/share");

  await page.goto(PRODUCT);
  const opened = page.waitForEvent("popup");
  // A bookmark navigates to its address in the same way.
  await page.evaluate((address) => {
    location.href = address;
  }, code);
  const home = new Home(await opened);
  await expect(home.field).toHaveValue(PRODUCT);
  expect(page.url()).toBe(PRODUCT);
});
