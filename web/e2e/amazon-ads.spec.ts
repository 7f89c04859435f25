import type { Page } from "@playwright/test";
import { closeToast, expectAccessiblePage, keepToast } from "./accessible-page.ts";
import { Accounts, newcomer } from "./accounts.ts";
import { test as base, expect, signUp } from "./links.ts";

/** /amazon-ads-auth, and Amazon's sign-in page as the stand-in plays it. */
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

  /** Goes to Amazon. */
  async leave(region = "North America") {
    await this.page.getByRole("radio", { name: region }).check();
    await this.button("Login with Amazon").click();
    await expect(this.button("Allow")).toBeVisible();
  }

  async allow(account = "Anna Advertiser") {
    await this.page.getByLabel("Account").selectOption(account);
    await this.button("Allow").click();
    await expect(this.page).toHaveURL("/amazon-ads-auth");
  }

  async connect(region?: string) {
    await this.open();
    await this.leave(region);
    await this.allow();
    await expect(this.button("Disconnect")).toBeVisible();
  }
}

/** Each test begins with nothing connected. */
const test = base.extend<{ ads: AmazonAds }>({
  ads: async ({ page, baseURL }, use) => {
    const headers = { Origin: new URL(baseURL ?? "").origin };
    const reply = await page.request.delete("/api/amazon-ads/connection", { headers });
    expect(reply.ok()).toBe(true);
    await use(new AmazonAds(page));
  },
});

test("a user connects Amazon Ads, finds it connected again, and disconnects", async ({
  ads,
  page,
}) => {
  await ads.open();
  await ads.leave();
  expect(page.url()).toMatch(/^https:\/\/www\.amazon\.com\/ap\/oa\?/);
  await ads.allow();
  await expect(ads.toast).toHaveText("SuccessAmazon Ads is connected.");
  await page.reload();
  await expect(page.getByText("anna.advertiser@amazon.example")).toBeVisible();
  await expect(page.getByText("Lamp store US")).toBeVisible();
  await expect(page.getByText("North America")).toBeVisible();

  await ads.button("Disconnect").click();
  await ads.dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(ads.button("Disconnect")).toBeFocused();
  await ads.button("Disconnect").click();
  await ads.dialog.getByRole("button", { name: "Disconnect" }).click();
  await expect(ads.toast).toContainText("Amazon Ads disconnected");
  await expect(ads.button("Login with Amazon")).toBeVisible();
  await page.reload();
  await expect(ads.button("Login with Amazon")).toBeVisible();
});

for (const [region, host, profile] of [
  ["Europe", "eu.account.amazon.com", "Lamp store DE"],
  ["Far East", "apac.account.amazon.com", "Lamp store JP"],
] as const) {
  test(`a user connects in the region ${region}`, async ({ ads, page }) => {
    await ads.open();
    await ads.leave(region);
    expect(new URL(page.url()).host).toBe(host);
    await ads.allow();
    await expect(page.getByText(profile)).toBeVisible();
  });
}

test("a user who does not consent is told so, and may try again", async ({ ads, page }) => {
  await ads.open();
  await ads.leave();
  await ads.button("Cancel").click();
  await expect(ads.alert).toHaveText(
    "You did not give access at Amazon, so nothing was connected.",
  );
  await expect(page).toHaveURL("/amazon-ads-auth");
  await ads.leave();
  await ads.allow();
  await expect(ads.button("Disconnect")).toBeVisible();
});

test("a login that Amazon spoils fails in so many words", async ({ ads }) => {
  await ads.open();
  await ads.leave();
  await ads.allow("Account for which tokens are refused");
  await expect(ads.alert).toHaveText("Amazon Ads could not be connected. Please try again.");
  await expect(ads.button("Login with Amazon")).toBeVisible();
});

test("Amazon's answer in somebody else's browser connects nobody", async ({
  ads,
  page,
  browser,
  baseURL,
}) => {
  await ads.open();
  const answer = page.waitForRequest(/\/api\/amazon-ads\/callback/);
  await page.route(/\/api\/amazon-ads\/callback/, (route) => route.abort());
  await ads.leave();
  await ads.button("Allow").click();
  const address = (await answer).url();

  const storageState = await signUp(browser, baseURL ?? "");
  const other = await browser.newContext({ storageState });
  const otherPage = await other.newPage();
  await otherPage.goto(address);
  await expect(otherPage.getByRole("alert")).toHaveText(
    "Amazon Ads could not be connected. Please try again.",
  );
  await other.close();
});

test("going back from Amazon finds the button ready", async ({ ads, page }) => {
  await ads.open();
  await ads.leave();
  await page.goBack();
  await ads.leave();
});

test.describe("signed out", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("a visitor logs in first, and comes back", async ({ page }) => {
    const accounts = new Accounts(page);
    const account = newcomer();
    await accounts.signUp(account);
    await accounts.logOut();
    await page.goto("/amazon-ads-auth");
    await accounts.fillLogin(account);
    await accounts.button("Login").click();
    await expect(page).toHaveURL("/amazon-ads-auth");
    await expect(accounts.button("Login with Amazon")).toBeVisible();
  });
});

test("the link to the policy leads there", async ({ ads, page }) => {
  await ads.open();
  await page.getByRole("link", { name: /^Privacy policy for the Amazon Ads/ }).click();
  await expect(page).toHaveURL("/privacy/amazon-ads-api");
});

const CONNECTION = /\/api\/amazon-ads\/connection$/;

/** Each state of the page, and how it is reached. */
const STATES: Record<string, (ads: AmazonAds) => Promise<void>> = {
  "at rest": (ads) => ads.open(),
  "that loads": async ({ page }) => {
    await page.route(CONNECTION, () => {});
    await page.goto("/amazon-ads-auth");
    await expect(page.getByText("Loading...")).toBeAttached();
    await expect(page.getByRole("heading", { name: "Connect Amazon Ads" })).toBeVisible();
  },
  "that could not be loaded": async (ads) => {
    await ads.page.route(CONNECTION, (route) => route.fulfill({ status: 503, body: "No." }));
    await ads.page.goto("/amazon-ads-auth");
    await expect(ads.alert).toBeVisible();
  },
  "about to leave": async (ads) => {
    await ads.open();
    await ads.page.route(/\/api\/amazon-ads\/auth-url/, () => {});
    await ads.button("Login with Amazon").click();
    await expect(ads.button("Connecting...")).toBeVisible();
  },
  "that cannot leave": async (ads) => {
    await ads.open();
    const reply = { status: 503, body: "Amazon Ads is not set up on this server." };
    await ads.page.route(/\/api\/amazon-ads\/auth-url/, (route) => route.fulfill(reply));
    await ads.button("Login with Amazon").click();
    await expect(ads.toast).toHaveText("ErrorFailed to initiate Amazon login. Please try again.");
    await keepToast(ads.page);
  },
  denied: async (ads) => {
    await ads.page.goto("/amazon-ads-auth?result=denied");
    await expect(ads.alert).toBeVisible();
  },
  connected: async (ads) => {
    await ads.connect();
    await closeToast(ads.page);
  },
  "connected, without profiles": async (ads) => {
    await ads.open();
    await ads.leave();
    await ads.allow("Ben Beginner");
    await expect(ads.page.getByText(/no advertising profile/)).toBeVisible();
    await closeToast(ads.page);
  },
  "whose connection has ended": async (ads) => {
    await ads.connect();
    await ads.page.route(CONNECTION, async (route) => {
      const { connection } = await (await route.fetch()).json();
      await route.fulfill({ json: { connection: { ...connection, hasEnded: true } } });
    });
    await ads.page.reload();
    await expect(ads.alert).toBeVisible();
  },
  "that asks before it disconnects": async (ads) => {
    await ads.connect();
    await closeToast(ads.page);
    await ads.button("Disconnect").click();
    await expect(ads.dialog).toBeVisible();
  },
};

for (const [state, reach] of Object.entries(STATES)) {
  test(`the page ${state}: sound at each size, in each theme and by keyboard`, async ({
    ads,
    page,
  }) => {
    test.slow();
    await reach(ads);
    await expectAccessiblePage(page);
  });
}
