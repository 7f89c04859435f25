import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";
import { describe, expect, test } from "vitest";
import { type PageVisit, resolveRedirectPage } from "./opening.ts";

const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6";
const AGENTS = {
  iphone: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${SAFARI} Mobile/15E148 Safari/604.1`,
  android:
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
  mac: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`,
  facebook:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22G86 [FBAN/FBIOS;FBAV/560.0.0.38.109]",
};
const ASIN = "B0ZZ1Y2X3W";
const WEB_URL = `https://www.amazon.de/dp/${ASIN}?tag=me-21&q=a%20b`;
const DEEP_LINK = deepLinkSearch(WEB_URL);

function deepLinkSearch(originalUrl: string, productId = ASIN): string {
  return new URL(buildDeepLink("https://go.example", productId, originalUrl)).search;
}

function resolveOn(agent: keyof typeof AGENTS, search: string, overrides: Partial<PageVisit> = {}) {
  return resolveRedirectPage({
    pageUrl: "https://go.example/redirect",
    search,
    userAgent: AGENTS[agent],
    maxTouchPoints: 0,
    isTelegram: false,
    table: BUILT_IN_OPENING_TABLE,
    ...overrides,
  });
}

// Specification 2.52
test.each(["", "?product_id=", `?original_url=${encodeURIComponent(WEB_URL)}`])(
  "%j, without a product id, does nothing",
  (search) => {
    for (const agent of ["mac", "iphone"] as const) expect(resolveOn(agent, search)).toEqual({ kind: "nothing" });
  },
);

describe("on a desktop", () => {
  test("goes to the original URL, with the remaining query except parameters that affect attribution", () => {
    expect(resolveOn("mac", DEEP_LINK)).toMatchObject({ kind: "web", webUrl: WEB_URL });
    const search = `${DEEP_LINK}&utm_source=ig&tag=evil-21&tt_x=1&TAG=evil-21&q=2&smid=A1EVIL&%6D.1=A1EVIL`;
    expect(resolveOn("mac", search)).toMatchObject({ webUrl: `${WEB_URL}&utm_source=ig` });
  });

  test("restores an original URL that was not encoded", () => {
    const webUrl = `https://www.amazon.de/dp/${ASIN}?th=1&psc=1`;
    expect(resolveOn("mac", `?product_id=${ASIN}&original_url=${webUrl}`)).toMatchObject({ webUrl });
  });

  test("goes to the start page without an original URL", () => {
    expect(resolveOn("mac", `?product_id=${ASIN}`)).toEqual({ kind: "home" });
  });
});

describe("on a phone", () => {
  test.each([
    ["iphone", `com.amazon.mobile.shopping.web://www.amazon.de/dp/${ASIN}?tag=me-21&q=a%20b&a=1`],
    ["android", expect.stringContaining("package=com.amazon.mShop.android.shopping;")],
  ] as const)("an %s opens the app automatically", (agent, appLink) => {
    expect(resolveOn(agent, `${DEEP_LINK}&a=1&tag=evil-21`)).toMatchObject({
      kind: "app",
      isAutomatic: true,
      page: { appLink, webUrl: `${WEB_URL}&a=1` },
    });
  });

  test("recognizes an iPad with a Macintosh user agent by its touch points", () => {
    expect(resolveOn("mac", DEEP_LINK, { maxTouchPoints: 5 })).toMatchObject({
      kind: "app",
      isAutomatic: true,
      page: { strategy: { id: "browser-ios" } },
    });
  });

  test("does not open the app automatically inside an app that requires a tap", () => {
    expect(resolveOn("facebook", DEEP_LINK)).toMatchObject({
      isAutomatic: false,
      page: { escapeUrl: `x-safari-https://go.example/redirect${DEEP_LINK}&tt_esc=1` },
    });
    expect(resolveOn("iphone", DEEP_LINK, { isTelegram: true })).toMatchObject({
      isAutomatic: false,
    });
  });

  test("does not leave the in-app browser a second time", () => {
    const page = { escapeUrl: null, webUrl: WEB_URL };
    expect(resolveOn("facebook", `${DEEP_LINK}&tt_esc=1`)).toMatchObject({ page });
  });

  test("an ASIN alone leads to amazon.com, any other product id to the start page", () => {
    const page = { webUrl: `https://www.amazon.com/dp/${ASIN}` };
    expect(resolveOn("iphone", `?product_id=${ASIN}`)).toMatchObject({ page });
    expect(resolveOn("iphone", "?product_id=jane-doe")).toEqual({ kind: "home" });
  });
});

test.each([
  deepLinkSearch("https://www.amazon.com@evil.example/"),
  deepLinkSearch("javascript:alert(1)//amazon.com"),
  deepLinkSearch(""),
  deepLinkSearch("https://amzn.to/3TapTru"),
  deepLinkSearch(WEB_URL, `"><script>`),
])("%s leads to the start page on every device", (search) => {
  for (const agent of ["mac", "iphone", "android"] as const) {
    expect(resolveOn(agent, search)).toEqual({ kind: "home" });
  }
});
