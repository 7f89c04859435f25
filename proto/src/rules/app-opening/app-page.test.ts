import { describe, expect, it } from "vitest";
import type { AppOpeningStrategy } from "./app-opening.ts";
import { appChoices, appHeading, appHint, appPage, appStoreText } from "./app-page.ts";
import { BUILT_IN_OPENING_TABLE as TABLE } from "./built-in-app-opening.ts";

const PAGE_URL = "https://go.example/redirect?product_id=B0ZZ1Y2X3W";
const WEB_URL = "https://www.amazon.com/dp/B0ZZ1Y2X3W?tag=me-20&th=1";

function rowOf(id: string): AppOpeningStrategy {
  const row = TABLE.rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`no row ${id}`);
  return row;
}

const pageOf = (id: string, isEscaped = false) =>
  appPage({
    webUrl: WEB_URL,
    marketplace: "com",
    strategy: rowOf(id),
    pageUrl: PAGE_URL,
    isEscaped,
  });

describe("appPage", () => {
  it("opens the app of the strategy's system, and names its store", () => {
    expect(pageOf("browser-ios")).toMatchObject({
      appLink: "com.amazon.mobile.shopping.web://www.amazon.com/dp/B0ZZ1Y2X3W?tag=me-20&th=1",
      storeUrl: "https://apps.apple.com/app/id297606951",
      escapeUrl: null,
    });
    expect(pageOf("browser-android")).toMatchObject({
      appLink: expect.stringMatching(/^intent:.*package=com\.amazon\.mShop\.android\.shopping;/),
      storeUrl: "https://play.google.com/store/apps/details?id=com.amazon.mShop.android.shopping",
    });
  });

  it("offers to leave an in-app browser once", () => {
    expect(pageOf("facebook-ios").escapeUrl).toBe(`x-safari-${PAGE_URL}&tt_esc=1`);
    expect(pageOf("facebook-ios", true).escapeUrl).toBeNull();
  });
});

describe("appChoices", () => {
  it.each([
    ["browser-ios", ["Try Again to Open in Amazon App", "Open in Web Browser"]],
    ["pinterest-ios", ["Open in Amazon App", "Open in Web Browser"]],
    ["tiktok-ios", ["Open in Safari", "Open in Amazon App", "Open in Web Browser"]],
    ["kakaotalk-ios", ["Open outside this app", "Open in Amazon App", "Open in Web Browser"]],
    ["wechat-android", ["Open in Web Browser", "Open in Amazon App"]],
  ])("the choices for %s are %j", (id, texts) => {
    expect(appChoices(pageOf(id)).map(({ text }) => text)).toEqual(texts);
  });

  it("every strategy offers the app and the web", () => {
    for (const { id } of TABLE.rows) {
      const page = pageOf(id);
      const urls = appChoices(page).map(({ url }) => url);
      expect(urls).toEqual(expect.arrayContaining([page.appLink, page.webUrl]));
    }
  });
});

it("the texts of a page say what its strategy does", () => {
  const texts = (id: string) => [appHeading(rowOf(id)), appHint(rowOf(id)), appStoreText(rowOf(id))];
  expect(texts("browser-android")).toEqual([
    "Opening Amazon...",
    expect.stringMatching(/^If the Amazon app didn't open/),
    "Get it on Google Play",
  ]);
  expect(texts("pinterest-ios")).toEqual(["Continue to Amazon", null, "Get it from the App Store"]);
  expect(appHint(rowOf("wechat-android"))).toContain("Open in browser");
});
