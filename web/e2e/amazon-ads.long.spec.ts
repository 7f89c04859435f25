import type { Page } from "@playwright/test";
import { closeToast, expectAccessiblePage, keepToastOpen } from "./accessible-page.ts";
import { test as base, expect, signUp } from "./links.ts";

/** The page /amazon-ads-auth, and the stand-in's version of Amazon's sign-in page. */
class AmazonAds {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get toast() {
    return this.page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  }

  get alert() {
    return this.page.getByRole("alert");
  }

  get dialog() {
    return this.page.getByRole("alertdialog");
  }

  button(name: string) {
    return this.page.getByRole("button", { name, exact: true });
  }

  async open() {
    await this.page.goto("/amazon-ads-auth");
    await expect(this.button("Login with Amazon")).toBeVisible();
  }

  async goToAmazon() {
    await this.button("Login with Amazon").click();
    await expect(this.button("Allow")).toBeVisible();
  }

  async allow() {
    await this.page.getByLabel("Account").selectOption("Anna Advertiser");
    await this.button("Allow").click();
    await expect(this.page).toHaveURL("/amazon-ads-auth");
  }

  async connect() {
    await this.open();
    await this.goToAmazon();
    await this.allow();
    await expect(this.button("Disconnect")).toBeVisible();
  }
}

/** Each test starts without a connection. */
const test = base.extend<{ ads: AmazonAds }>({
  ads: async ({ page, baseURL }, use) => {
    const headers = { Origin: new URL(baseURL ?? "").origin };
    const response = await page.request.delete("/api/amazon-ads/connection", { headers });
    expect(response.ok()).toBe(true);
    await use(new AmazonAds(page));
  },
});

test("a user connects Amazon Ads, reloads, and disconnects", async ({ ads, page }) => {
  await ads.open();
  await ads.goToAmazon();
  expect(page.url()).toMatch(/^https:\/\/www\.amazon\.com\/ap\/oa\?/);
  await ads.allow();
  await expect(ads.toast).toHaveText("SuccessAmazon Ads is connected.");
  await page.reload();
  await expect(page.getByText("anna.advertiser@amazon.example")).toBeVisible();

  await ads.button("Disconnect").click();
  await ads.dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(ads.button("Disconnect")).toBeFocused();
  await ads.button("Disconnect").click();
  await ads.dialog.getByRole("button", { name: "Disconnect" }).click();
  await expect(ads.toast).toContainText("Amazon Ads is disconnected");
  await expect(ads.button("Login with Amazon")).toBeVisible();
  await page.reload();
  await expect(ads.button("Login with Amazon")).toBeVisible();
});

test("Amazon's callback in another user's browser creates no connection", async ({ ads, page, browser, baseURL }) => {
  await ads.open();
  const callback = page.waitForRequest(/\/api\/amazon-ads\/callback/);
  await page.route(/\/api\/amazon-ads\/callback/, (route) => route.abort());
  await ads.goToAmazon();
  await ads.button("Allow").click();
  const address = (await callback).url();

  const storageState = await signUp(browser, baseURL ?? "");
  const other = await browser.newContext({ storageState });
  const otherPage = await other.newPage();
  await otherPage.goto(address);
  await expect(otherPage.getByRole("alert")).toHaveText("Amazon Ads could not be connected. Please try again.");
  await other.close();
});

test("the login button works after going back from Amazon", async ({ ads, page }) => {
  await ads.open();
  await ads.goToAmazon();
  await page.goBack();
  await ads.goToAmazon();
});

/** The states of the page, each with the steps to it. */
const STATES: Record<string, (ads: AmazonAds) => Promise<void>> = {
  "in its initial state": (ads) => ads.open(),
  "after a failed redirect to Amazon": async (ads) => {
    await ads.open();
    const response = { status: 503, body: "Amazon Ads is not set up on this server." };
    await ads.page.route(/\/api\/amazon-ads\/auth-url/, (route) => route.fulfill(response));
    await ads.button("Login with Amazon").click();
    await expect(ads.toast).toHaveText("ErrorFailed to initiate Amazon login. Please try again.");
    await keepToastOpen(ads.page);
  },
  "with a connection": async (ads) => {
    await ads.connect();
    await closeToast(ads.page);
  },
  "with the disconnect dialog": async (ads) => {
    await ads.connect();
    await closeToast(ads.page);
    await ads.button("Disconnect").click();
    await expect(ads.dialog).toBeVisible();
  },
};

for (const [state, reach] of Object.entries(STATES)) {
  test(`the page ${state} is accessible at each size, in each theme and by keyboard`, async ({ ads, page }) => {
    test.slow();
    await reach(ads);
    await expectAccessiblePage(page);
  });
}
