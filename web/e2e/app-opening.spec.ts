import type { Browser, Page } from "@playwright/test";
import { Outcome } from "@tapthru/proto/redirect/outcome";
import { escapeUrl } from "@tapthru/proto/rules/app-opening/app-escape";
import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";
import { APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";
import { watchAppAttempts } from "./app-attempts.ts";
import { createLink, expect, PRODUCT, test } from "./home.ts";
import { isIphone, newPhone, openingHeading, type StrategyId } from "./phones.ts";

const { pathname, search } = new URL(buildDeepLink("http://x", "B0CX23V2ZK", PRODUCT));
const DEEP_LINK = `${pathname}${search}`;

const appAddress = (strategy: StrategyId) => (isIphone(strategy) ? iosAppLink(PRODUCT) : androidIntent(PRODUCT, "com"));

// Not a mouse click: the browser's dialog about the app may cover the page.
const tap = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).dispatchEvent("click");

async function openOnPhone(browser: Browser, strategy: StrategyId, address: string) {
  const page = await (await newPhone(browser, strategy)).newPage();
  const attempts = await watchAppAttempts(page);
  await page.goto(address, { waitUntil: "commit" });
  return { page, attempts };
}

for (const [strategy, kind, web, again] of [
  ["browser-ios", "a short link", "Open amazon.com in the browser", "Try again in the Amazon app"],
  ["instagram-android", "a short link", "Open amazon.com in the browser", "Try again in the Amazon app"],
  ["browser-ios", "/redirect", "Open in Web Browser", "Try Again to Open in Amazon App"],
] as const) {
  test(`${strategy}: ${kind} opens the app by itself, once`, async ({ browser, request }) => {
    const address = kind === "/redirect" ? DEEP_LINK : await createLink(request);
    const { page, attempts } = await openOnPhone(browser, strategy, address);
    const app = appAddress(strategy);
    await expect.poll(attempts).toEqual([app]);
    await page.reload();
    await tap(page, web);
    await expect(page).toHaveURL(PRODUCT);
    await page.goBack();
    await expect(page.getByRole("link", { name: again })).toBeVisible();
    expect(attempts()).toEqual([app]);
    await tap(page, again);
    await expect.poll(attempts).toEqual([app, app]);
    await page.context().close();
  });
}

test("inside Instagram on iOS only a tap opens the app, or leaves the in-app browser", async ({ browser, request }) => {
  const shortUrl = await createLink(request);
  const { page, attempts } = await openOnPhone(browser, "instagram-ios", shortUrl);
  await expect(page.getByRole("heading")).toHaveText(openingHeading("instagram-ios"));
  const outside = escapeUrl("instagram", shortUrl);
  await tap(page, "Open outside this app");
  await expect.poll(attempts).toEqual([outside]);
  await tap(page, "Open in the Amazon app");
  await expect.poll(attempts).toEqual([outside, iosAppLink(PRODUCT)]);
  await page.context().close();
});

test("a page that opens the app shows its choices once the app may have opened", async ({ browser, request }) => {
  const { page, attempts } = await openOnPhone(browser, "browser-ios", await createLink(request));
  await expect.poll(attempts).toHaveLength(1);
  const choice = page.getByText("Open amazon.com in the browser");
  const seekTo = (ms: number) =>
    choice.evaluate((element, time) => {
      for (const animation of element.getAnimations()) animation.currentTime = time;
      return getComputedStyle(element).visibility;
    }, ms);
  expect([await seekTo(0), await seekTo(APP_OPENING_WAIT_MS)]).toEqual(["hidden", "visible"]);
  await expect(page.getByRole("heading")).toBeVisible();
  await page.context().close();
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

test("a desktop is redirected, and going back skips the page", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  await page.goto(`${DEEP_LINK}&utm_source=ig&tag=evil-21`);
  await expect(page).toHaveURL(`${PRODUCT}&utm_source=ig`);
  await page.goBack();
  await expect(home.field).toBeVisible();
});

// Specification 2.52
test("the page shows only the top bar without a product id", async ({ page }) => {
  const table = page.waitForResponse("/app-opening.json");
  await page.goto("/redirect?original_url=https%3A%2F%2Fwww.amazon.com%2F");
  await (await table).finished();
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("main")).toBeEmpty();
});

test("the page has all choices and reports the link without scripts", async ({ browser, request }) => {
  const shortUrl = await createLink(request);
  const phone = await newPhone(browser, "browser-ios", { javaScriptEnabled: false });
  const page = await phone.newPage();
  await page.goto(shortUrl);
  await expect(page.getByRole("link").first()).toHaveAttribute("href", iosAppLink(PRODUCT));
  await page.getByRole("link", { name: "Report this link" }).click();
  await expect(page).toHaveURL(`/report?code=${shortUrl.split("/").at(-1)}`);
  await page.goBack();
  await page.getByRole("link", { name: "Open amazon.com in the browser" }).click();
  await expect(page).toHaveURL(PRODUCT);
  await phone.close();
});

for (const [strategy, outcome] of [
  ["browser-ios", "opened"],
  ["browser-android", "unknown"],
  ["browser-ios", "stayed"],
] as const) {
  test(`${strategy}: the page reports ${outcome}`, async ({ browser, request }) => {
    const shortUrl = await createLink(request);
    const page = await (await newPhone(browser, strategy)).newPage();
    // With the real clock a slow machine reports "stayed" before the test hides the page.
    await page.clock.install();
    // Later than a slow machine gets there: the clock cannot go back.
    await page.clock.pauseAt(Date.now() + 60_000);
    const attempts = await watchAppAttempts(page);
    const reporting = page.waitForResponse(`${shortUrl}/outcome`);
    await page.goto(shortUrl, { waitUntil: "commit" });
    await expect.poll(attempts).toHaveLength(1);
    if (outcome === "stayed") {
      await page.clock.runFor(1_500);
    } else {
      await page.evaluate(() => {
        Object.defineProperty(document, "visibilityState", { value: "hidden" });
        document.dispatchEvent(new Event("visibilitychange"));
      });
    }
    const response = await reporting;
    expect(response.status()).toBe(204);
    expect(Outcome.parse(response.request().postDataJSON())).toMatchObject({ outcome });
    await page.context().close();
  });
}
