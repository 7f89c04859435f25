import type { Browser } from "@playwright/test";
import { escapeUrl } from "@tapthru/proto/rules/app-opening/app-escape";
import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";
import { expectAccessiblePage } from "./accessible-page.ts";
import { watchAppAttempts } from "./app-attempts.ts";
import { expect, PRODUCT, test } from "./home.ts";
import { newPhone, openingHeading, type StrategyId } from "./phones.ts";

const DEEP_LINK = deepLink(PRODUCT);

function deepLink(originalUrl: string): string {
  const { pathname, search } = new URL(buildDeepLink("http://x", "B0CX23V2ZK", originalUrl));
  return `${pathname}${search}`;
}

async function openOnPhone(browser: Browser, strategy: StrategyId, address: string) {
  const phone = await newPhone(browser, strategy);
  const page = await phone.newPage();
  const attempts = await watchAppAttempts(page);
  await page.goto(address, { waitUntil: "commit" });
  await expect(page.getByRole("heading")).toHaveText(openingHeading(strategy));
  return { page, attempts, phone };
}

test("a desktop is redirected, and going back skips the page", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  await page.goto(`${DEEP_LINK}&utm_source=ig&tag=evil-21`);
  await expect(page).toHaveURL(`${PRODUCT}&utm_source=ig`);
  await page.goBack();
  await expect(home.field).toBeVisible();
});

// Specification 2.52
test("without a product id only the top bar is displayed", async ({ page }) => {
  const table = page.waitForResponse("/app-opening.json");
  await page.goto("/redirect?original_url=https%3A%2F%2Fwww.amazon.com%2F");
  await (await table).finished();
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("main")).toBeEmpty();
  expect(page.url()).toContain("/redirect?original_url=");
});

test("an address of another site redirects a desktop to Home", async ({ page }) => {
  await page.goto(deepLink("https://evil.example/?u=amazon.com"));
  await expect(page).toHaveURL("/");
});

for (const [strategy, appAddress] of [
  ["browser-ios", iosAppLink(PRODUCT)],
  ["browser-android", androidIntent(PRODUCT, "com")],
] as const) {
  test(`${strategy}: the app opens automatically, once`, async ({ browser }) => {
    const { page, attempts, phone } = await openOnPhone(browser, strategy, DEEP_LINK);
    await expect.poll(attempts).toEqual([appAddress]);

    await page.reload();
    const button = (name: string) => page.getByRole("link", { name });
    await button("Open in Web Browser").dispatchEvent("click");
    await expect(page).toHaveURL(PRODUCT);
    await page.goBack();
    await expect(page.getByText("Don't have the Amazon app?")).toBeVisible();
    expect(attempts()).toEqual([appAddress]);

    await button("Try Again to Open in Amazon App").dispatchEvent("click");
    await expect.poll(attempts).toEqual([appAddress, appAddress]);
    await phone.close();
  });
}

test("inside Facebook on iOS a tap opens the app or Safari", async ({ browser, baseURL }) => {
  const { page, attempts, phone } = await openOnPhone(browser, "facebook-ios", DEEP_LINK);
  await page.getByRole("link", { name: "Open in Safari" }).dispatchEvent("click");
  const safari = escapeUrl("safari", `${baseURL}${DEEP_LINK}`);
  await expect.poll(attempts).toEqual([safari]);
  await page.getByRole("link", { name: "Open in Amazon App" }).dispatchEvent("click");
  await expect.poll(attempts).toEqual([safari, iosAppLink(PRODUCT)]);
  await phone.close();
});

test("an iPad with the user agent of a Macintosh opens the app", async ({ browser }) => {
  const context = await browser.newContext({
    userAgent:
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
    viewport: { width: 820, height: 1180 },
  });
  await context.addInitScript(() => Object.defineProperty(navigator, "maxTouchPoints", { value: 5 }));
  const page = await context.newPage();
  const attempts = await watchAppAttempts(page);
  await page.goto(DEEP_LINK, { waitUntil: "commit" });
  await expect.poll(attempts).toEqual([iosAppLink(PRODUCT)]);
  await context.close();
});

// Specification 2.53
test("the titles of the page and its card name the product", async ({ browser }) => {
  const { page, phone } = await openOnPhone(browser, "pinterest-ios", DEEP_LINK);
  await expect(page).toHaveTitle(/B0CX23V2ZK/);
  const title = await page.title();
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute("content", title);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex, nofollow");
  await phone.close();
});

for (const strategy of ["browser-ios", "tiktok-ios", "wechat-android"] as const) {
  test(`${strategy}: the page is accessible`, async ({ browser }) => {
    test.slow();
    const { page, phone } = await openOnPhone(browser, strategy, DEEP_LINK);
    await expectAccessiblePage(page);
    await phone.close();
  });
}
