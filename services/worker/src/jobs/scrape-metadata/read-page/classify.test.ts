import { describe, expect, it } from "vitest";
import { classifyResponse } from "./classify.ts";

const PRODUCT = '<span id="productTitle">Lamp</span>';

describe("classifyResponse", () => {
  it.each([
    "/errors/validateCaptcha",
    "https://opfcaptcha.amazon.com/",
    "csm-captcha-instrumentation",
    "?bm-verify=AAQ",
    "aws-waf-token",
    "window.gokuProps = {}",
  ])("recognizes a captcha by %s, even on a product page and with an error status", (part) => {
    expect(classifyResponse(200, `${PRODUCT}<script>"${part}"</script>`)).toBe("captcha");
    expect(classifyResponse(503, part)).toBe("captcha");
    expect(classifyResponse(404, part)).toBe("captcha");
  });

  it.each([
    ["captcha", "Enter the characters you see below"],
    ["captcha", "<title>Robot Check</title>"],
    ["captcha", "<title dir=ltr>\nAmazon.com\n</title>"],
    ["captcha", "<title>Amazon.co.jp</title>"],
    ["captcha", "<!-- To discuss automated access to Amazon data please -->"],
    ["captcha", "contact api-services-support@amazon.com"],
    ["consent", '<form id="sp-cc">'],
    ["consent", '<form action="/privacyprefs/retail/v1/acceptall">'],
    ["error-page", "<title>Sorry! Something went wrong!</title>"],
    ["gone", "Meet the Dogs of Amazon"],
    ["gone", "Looking for something?"],
    ["gone", "we couldn&#39;t find that page"],
    ["gone", "we couldn’t find that page"],
  ] as const)("recognizes %s by %s, unless it is on a product page", (outcome, words) => {
    expect(classifyResponse(200, words)).toBe(outcome);
    expect(classifyResponse(200, words + PRODUCT)).toBeNull();
  });

  it("treats the cookie consent on a storefront as a banner", () => {
    const storefront = '<meta property="og:image" content="x"><form id="sp-cc">';
    expect(classifyResponse(200, storefront)).toBeNull();
  });

  it.each([
    [400, "refused"],
    [403, "refused"],
    [404, "gone"],
    [410, "gone"],
    [429, "refused"],
    [500, "error-page"],
    [503, "error-page"],
    [200, null],
    [202, null],
  ] as const)("classifies a page without text by its status: %i is %s", (status, outcome) => {
    expect(classifyResponse(status, "")).toBe(outcome);
    expect(classifyResponse(status, PRODUCT)).toBe(outcome);
  });
});
