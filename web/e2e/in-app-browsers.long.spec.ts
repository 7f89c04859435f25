import type { Page } from "@playwright/test";
import { Outcome } from "@tapthru/proto/redirect/outcome";
import { SHORT_CODE_LENGTH } from "@tapthru/proto/redirect/short-code";
import { escapeUrl } from "@tapthru/proto/rules/app-opening/app-escape";
import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import type { Escape } from "@tapthru/proto/rules/app-opening/app-opening";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";
import { reportPagePath } from "@tapthru/proto/rules/paths";
import { watchAppAttempts } from "./app-attempts.ts";
import { createLink, expect, PRODUCT, test } from "./home.ts";
import { isIphone, newPhone, type StrategyId } from "./phones.ts";

const AUTOMATIC: StrategyId[] = ["browser-ios", "browser-android", "instagram-android"];
const ON_TAP: StrategyId[] = [
  "instagram-ios",
  "threads-ios",
  "facebook-ios",
  "tiktok-ios",
  "tiktok-android",
  "x-ios",
  "pinterest-ios",
  "whatsapp-android",
  "line-ios",
  "wechat-android",
  "kakaotalk-ios",
];
const ESCAPES: [StrategyId, Escape, string][] = [
  ["instagram-ios-before-417", "safari", "Open in Safari"],
  ["instagram-ios", "instagram", "Open outside this app"],
  ["threads-ios", "threads", "Open outside this app"],
  ["facebook-ios", "safari", "Open in Safari"],
  ["tiktok-ios", "safari", "Open in Safari"],
  ["kakaotalk-ios", "kakaotalk", "Open outside this app"],
];

const appAddress = (strategy: StrategyId) => (isIphone(strategy) ? iosAppLink(PRODUCT) : androidIntent(PRODUCT, "com"));

// Not a mouse click: the browser's dialog about the app may cover the page.
const tap = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).dispatchEvent("click");

/** Leaving the page ends all attempts to open the app. */
async function openInWebBrowser(page: Page) {
  await tap(page, "Open amazon.com in the browser");
  await expect(page).toHaveURL(PRODUCT);
}

for (const strategy of AUTOMATIC) {
  test(`${strategy}: the app opens automatically, once`, async ({ browser, request }) => {
    const phone = await newPhone(browser, strategy);
    const page = await phone.newPage();
    const attempts = await watchAppAttempts(page);
    await page.goto(await createLink(request), { waitUntil: "commit" });
    await expect.poll(attempts).toEqual([appAddress(strategy)]);

    await page.reload();
    await openInWebBrowser(page);
    await page.goBack();
    await openInWebBrowser(page);
    expect(attempts()).toEqual([appAddress(strategy)]);

    await page.goBack();
    await tap(page, "Try again in the Amazon app");
    await expect.poll(attempts).toEqual([appAddress(strategy), appAddress(strategy)]);
    await phone.close();
  });
}

for (const strategy of ON_TAP) {
  test(`${strategy}: the app opens only on a tap`, async ({ browser, request }) => {
    const phone = await newPhone(browser, strategy);
    const page = await phone.newPage();
    const attempts = await watchAppAttempts(page);
    await page.goto(await createLink(request));
    await expect(page.getByText("didn't open automatically")).toHaveCount(0);
    await tap(page, "Open in the Amazon app");
    await expect.poll(attempts).toEqual([appAddress(strategy)]);
    await openInWebBrowser(page);
    expect(attempts()).toEqual([appAddress(strategy)]);
    await phone.close();
  });
}

for (const [strategy, kind, name] of ESCAPES) {
  test(`${strategy}: a tap leaves the in-app browser`, async ({ browser, request }) => {
    const phone = await newPhone(browser, strategy);
    const page = await phone.newPage();
    const attempts = await watchAppAttempts(page);
    const shortUrl = await createLink(request);
    await page.goto(shortUrl);
    await tap(page, name);
    await expect.poll(attempts).toEqual([escapeUrl(kind, shortUrl)]);

    await page.goto(`${shortUrl}?tt_esc=1`);
    await expect(page.getByRole("link", { name: "Open in the Amazon app" })).toBeVisible();
    await expect(page.getByRole("link", { name })).toHaveCount(0);
    await phone.close();
  });
}

test("LINE's parameter opens the external browser and is not added to the destination", async ({
  browser,
  request,
}) => {
  const phone = await newPhone(browser, "line-ios");
  const page = await phone.newPage();
  const shortUrl = await createLink(request);
  await page.goto(shortUrl);
  await tap(page, "Open outside this app");
  await expect(page).toHaveURL(`${shortUrl}?tt_esc=1&openExternalBrowser=1`);
  await expect(page.getByRole("link", { name: "Open outside this app" })).toHaveCount(0);
  await openInWebBrowser(page);
  await phone.close();
});

test("WeChat users see how to open the page in the browser", async ({ browser, request }) => {
  const phone = await newPhone(browser, "wechat-android");
  const page = await phone.newPage();
  await page.goto(await createLink(request));
  await expect(page.getByText('choose "Open in browser"')).toBeVisible();
  await phone.close();
});

for (const strategy of ["browser-ios", "tiktok-android"] as const) {
  test(`${strategy}: the page shows all choices without scripts`, async ({ browser, request }) => {
    const phone = await newPhone(browser, strategy, { javaScriptEnabled: false });
    const page = await phone.newPage();
    const shortUrl = await createLink(request);
    await page.goto(shortUrl);
    const links = page.getByRole("link");
    await expect(links).toHaveCount(4);
    await expect(links.nth(0)).toHaveAttribute("href", appAddress(strategy));
    const code = shortUrl.slice(-SHORT_CODE_LENGTH);
    await expect(links.nth(3)).toHaveAttribute("href", reportPagePath(code));
    await links.nth(1).click();
    await expect(page).toHaveURL(PRODUCT);
    await phone.close();
  });
}

const OUTCOMES: [StrategyId, "hidden" | "wait", Outcome["outcome"]][] = [
  ["browser-ios", "hidden", "opened"],
  ["browser-android", "hidden", "unknown"],
  ["browser-ios", "wait", "stayed"],
];
for (const [strategy, action, outcome] of OUTCOMES) {
  test(`${strategy}: the page reports ${outcome}`, async ({ browser, request }) => {
    const phone = await newPhone(browser, strategy);
    const page = await phone.newPage();
    // With the real clock a slow machine reports "stayed" before the test hides the page.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    const attempts = await watchAppAttempts(page);
    const shortUrl = await createLink(request);
    const reporting = page.waitForResponse(`${shortUrl}/outcome`);
    await page.goto(shortUrl, { waitUntil: "commit" });
    await expect.poll(attempts).toHaveLength(1);
    if (action === "wait") {
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
    expect(page.url()).toBe(shortUrl);
    await phone.close();
  });
}

test("a deep link returns the preview card to a crawler and the web app to a visitor", async ({ request }) => {
  const { origin } = new URL(await createLink(request));
  const deepLink = buildDeepLink(origin, "B0CX23V2ZK", PRODUCT);
  const card = await request.get(deepLink, { headers: { "User-Agent": "Twitterbot/1.0" } });
  expect(card.status()).toBe(200);
  expect(await card.text()).toContain("View on Amazon: www.amazon.com");
  const app = await request.get(deepLink);
  expect(await app.text()).not.toContain("View on Amazon");
});
