import type { Page } from "@playwright/test";
import { Outcome } from "@tapthru/proto/redirect/outcome";
import { SHORT_CODE_LENGTH } from "@tapthru/proto/redirect/short-code";
import { escapeUrl } from "@tapthru/proto/rules/app-escape";
import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-link";
import type { Escape } from "@tapthru/proto/rules/app-opening";
import { buildDeepLink } from "@tapthru/proto/rules/deep-link";
import { reportPagePath } from "@tapthru/proto/rules/report-page";
import { watchAppAttempts } from "./app-attempts.ts";
import { expect, makeLink, PRODUCT, test } from "./home.ts";
import { isIphone, newPhone, type RowId } from "./phones.ts";

const AUTOMATIC: RowId[] = ["browser-ios", "browser-android", "instagram-android"];
const TAP_FIRST: RowId[] = [
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
const ESCAPES: [RowId, Escape, string][] = [
  ["instagram-ios-before-417", "safari", "Open in Safari"],
  ["instagram-ios", "instagram", "Open outside this app"],
  ["threads-ios", "threads", "Open outside this app"],
  ["facebook-ios", "safari", "Open in Safari"],
  ["tiktok-ios", "safari", "Open in Safari"],
  ["kakaotalk-ios", "kakaotalk", "Open outside this app"],
];

const appAddress = (row: RowId) =>
  isIphone(row) ? iosAppLink(PRODUCT) : androidIntent(PRODUCT, "com");

// The browser's own question about the app may lie over the page, so these are no mouse clicks.
const tap = (page: Page, name: string) =>
  page.getByRole("link", { name, exact: true }).dispatchEvent("click");

/** Every attempt is over once the page has left for the web. */
async function leaveForTheWeb(page: Page) {
  await tap(page, "Open in Web Browser");
  await expect(page).toHaveURL(PRODUCT);
}

for (const row of AUTOMATIC) {
  test(`by ${row} the app opens by itself, once`, async ({ browser, request }) => {
    const phone = await newPhone(browser, row);
    const page = await phone.newPage();
    const attempts = await watchAppAttempts(page);
    await page.goto(await makeLink(request), { waitUntil: "commit" });
    await expect.poll(attempts).toEqual([appAddress(row)]);

    await page.reload();
    await leaveForTheWeb(page);
    await page.goBack();
    await leaveForTheWeb(page);
    expect(attempts()).toEqual([appAddress(row)]);

    await page.goBack();
    await tap(page, "Try Again to Open in Amazon App");
    await expect.poll(attempts).toEqual([appAddress(row), appAddress(row)]);
    await phone.close();
  });
}

for (const row of TAP_FIRST) {
  test(`by ${row} the app opens by a tap alone`, async ({ browser, request }) => {
    const phone = await newPhone(browser, row);
    const page = await phone.newPage();
    const attempts = await watchAppAttempts(page);
    await page.goto(await makeLink(request));
    await expect(page.getByText("didn't open automatically")).toHaveCount(0);
    await tap(page, "Open in Amazon App");
    await expect.poll(attempts).toEqual([appAddress(row)]);
    await leaveForTheWeb(page);
    expect(attempts()).toEqual([appAddress(row)]);
    await phone.close();
  });
}

for (const [row, kind, name] of ESCAPES) {
  test(`by ${row} a tap leads out of the app`, async ({ browser, request }) => {
    const phone = await newPhone(browser, row);
    const page = await phone.newPage();
    const attempts = await watchAppAttempts(page);
    const shortUrl = await makeLink(request);
    await page.goto(shortUrl);
    await tap(page, name);
    await expect.poll(attempts).toEqual([escapeUrl(kind, shortUrl)]);

    await page.goto(`${shortUrl}?tt_esc=1`);
    await expect(page.getByRole("link", { name: "Open in Amazon App" })).toBeVisible();
    await expect(page.getByRole("link", { name })).toHaveCount(0);
    await phone.close();
  });
}

test("LINE leaves itself by a parameter, which goes no further", async ({ browser, request }) => {
  const phone = await newPhone(browser, "line-ios");
  const page = await phone.newPage();
  const shortUrl = await makeLink(request);
  await page.goto(shortUrl);
  await tap(page, "Open outside this app");
  await expect(page).toHaveURL(`${shortUrl}?tt_esc=1&openExternalBrowser=1`);
  await expect(page.getByRole("link", { name: "Open outside this app" })).toHaveCount(0);
  await leaveForTheWeb(page);
  await phone.close();
});

test("WeChat says how to leave it", async ({ browser, request }) => {
  const phone = await newPhone(browser, "wechat-android");
  const page = await phone.newPage();
  await page.goto(await makeLink(request));
  await expect(page.getByText('choose "Open in browser"')).toBeVisible();
  await phone.close();
});

for (const row of ["browser-ios", "tiktok-android"] as const) {
  test(`by ${row} all choices are there without scripts`, async ({ browser, request }) => {
    const phone = await newPhone(browser, row, { javaScriptEnabled: false });
    const page = await phone.newPage();
    const shortUrl = await makeLink(request);
    await page.goto(shortUrl);
    const links = page.getByRole("link");
    await expect(links).toHaveCount(4);
    await expect(links.nth(0)).toHaveAttribute("href", appAddress(row));
    const code = shortUrl.slice(-SHORT_CODE_LENGTH);
    await expect(links.nth(3)).toHaveAttribute("href", reportPagePath(code));
    await links.nth(1).click();
    await expect(page).toHaveURL(PRODUCT);
    await phone.close();
  });
}

const OUTCOMES: [RowId, "hidden" | "wait", Outcome["outcome"]][] = [
  ["browser-ios", "hidden", "opened"],
  ["browser-android", "hidden", "unknown"],
  ["browser-ios", "wait", "stayed"],
];
for (const [row, what, outcome] of OUTCOMES) {
  test(`by ${row} the page reports ${outcome}`, async ({ browser, request }) => {
    const phone = await newPhone(browser, row);
    const page = await phone.newPage();
    // Else a slow machine reports "stayed" before this test hides the page.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    const attempts = await watchAppAttempts(page);
    const shortUrl = await makeLink(request);
    const reporting = page.waitForResponse(`${shortUrl}/outcome`);
    await page.goto(shortUrl, { waitUntil: "commit" });
    await expect.poll(attempts).toHaveLength(1);
    if (what === "wait") {
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

test("a crawler gets the card of a deep link, a person the web app", async ({ request }) => {
  const { origin } = new URL(await makeLink(request));
  const deepLink = buildDeepLink(origin, "B0CX23V2ZK", PRODUCT);
  const card = await request.get(deepLink, { headers: { "User-Agent": "Twitterbot/1.0" } });
  expect(card.status()).toBe(200);
  expect(await card.text()).toContain("View on Amazon: www.amazon.com");
  const app = await request.get(deepLink);
  expect(await app.text()).not.toContain("View on Amazon");
});
