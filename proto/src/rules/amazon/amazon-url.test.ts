import { describe, expect, it } from "vitest";
import { parseAmazonUrl, parseNewDestination, parseStorePage } from "./amazon-url.ts";
import { MARKETPLACES } from "./marketplaces.ts";

const STORE = "https://www.amazon.com";
const DP = `${STORE}/dp/B0ZZ1Y2X3W`;
const NOT_AMAZON = { kind: "refused", code: "not-an-amazon-link" };

describe("hosts", () => {
  it.each(Object.keys(MARKETPLACES))("accepts amazon.%s and its subdomains of pages", (marketplace) => {
    for (const prefix of ["", "www.", "m.", "smile."]) {
      const host = `${prefix}amazon.${marketplace}`;
      expect(parseAmazonUrl(`https://${host}/dp/B0ZZ1Y2X3W`)).toMatchObject({
        kind: "product",
        marketplace,
        webUrl: `https://${host}/dp/B0ZZ1Y2X3W`,
        canonicalUrl: `https://www.amazon.${marketplace}/dp/B0ZZ1Y2X3W`,
      });
    }
  });

  it("reads amazon.jp as www.amazon.co.jp", () => {
    expect(parseAmazonUrl("https://m.amazon.jp/dp/B0ZZ1Y2X3W?tag=me-22")).toMatchObject({
      marketplace: "co.jp",
      webUrl: "https://www.amazon.co.jp/dp/B0ZZ1Y2X3W?tag=me-22",
    });
  });

  it.each([
    "aws.amazon.com",
    "music.amazon.co.uk",
    "www.smile.amazon.com",
    "ec1.amazon.jp",
    "amazon.com.co",
    "amazon.cl",
    "amazon.com.ng",
    "s3.amazonaws.com",
    "m.media-amazon.com",
    "images-na.ssl-images-amazon.com",
    "r.amzlink.to",
    "aax.amazon-adsystem.com",
    "www.primevideo.com",
    "www.audible.com",
    "creatorsapi.amazon",
  ])("refuses %s, an Amazon host that is not a store, with an error that names it", (host) => {
    const refusal = { kind: "refused", message: `${host} is not an Amazon shopping page` };
    expect(parseAmazonUrl(`https://${host}/dp/B0ZZ1Y2X3W`)).toMatchObject(refusal);
  });

  it.each([
    "https://media.co/x",
    "https://amazon.com.evil.example/",
    "https://evil.example/?u=amazon.com",
    `https://evil.example/#${DP}`,
    `https://evil.example?${DP}`,
    "https://evilamazon.com/dp/B0ZZ1Y2X3W",
    "https://аmazon.com/",
    "https://xn--mazon-3ve.com/",
    "https://amazon。com/",
    "https://ａｍａｚｏｎ.com/",
    "https://lin\u212a.amazon/B0Zz9Yy8X",
    "https://amazon.pt/dp/B0ZZ1Y2X3W",
    "https://amazon.co/dp/B0ZZ1Y2X3W",
    "https://amazon.constructor/",
    "https://amazon.__proto__/",
    "https://amazon.com./dp/B0ZZ1Y2X3W",
    "https://www.m.amazon.evil/",
    "https://audible.example/",
    `https://www.google.com/url?q=${DP}`,
  ])("refuses %s, which is not Amazon's", (url) => {
    expect(parseAmazonUrl(url)).toMatchObject(NOT_AMAZON);
  });

  // Specification 5.2
  it.each([
    "https://www.amazon.com@evil.example/",
    "https://user:password@www.amazon.com/",
    "https://@www.amazon.com/",
    "https://www.amazon.com:8443/",
    "https://www.amazon.com:80/",
    "http://www.amazon.com:443/",
    "https://www.amazon.com:/",
    "https://www%2Eamazon.com/",
    "https://it's.amazon.com/",
    "https://2130706433/",
    "https://127.0.0.1/",
    "https://0x7f.1/",
    "https://[::1]/",
    "https:///www.amazon.com/",
    "https:www.amazon.com/",
    "https:\\\\www.amazon.com/dp/B0ZZ1Y2X3W",
    `${STORE}\\dp\\B0ZZ1Y2X3W`,
    `${STORE}/s?k=\\`,
    "https://evil.example\\@www.amazon.com/",
    `${STORE}\\@evil.example/`,
    "//www.amazon.com/",
    "/dp/B0ZZ1Y2X3W",
    "www.amazon.com/dp/B0ZZ1Y2X3W",
    "ftp://www.amazon.com/",
    "javascript:alert(1)//www.amazon.com/",
    "data:text/html,https://www.amazon.com/",
    "intent://www.amazon.com/#Intent;end",
    `view-source:${DP}`,
    `${DP} and more`,
    "https://www.ama\tzon.com/",
    `${DP}?a=\0`,
    `${DP}?a=\x85b`,
    `${DP}?a=\ud83d`,
    "https://",
    "not a link",
  ])("refuses %j, although it may contain Amazon's name", (url) => {
    expect(parseAmazonUrl(url)).toMatchObject(NOT_AMAZON);
  });

  it("requires an address", () => {
    for (const text of ["", "\t\r\n "])
      expect(parseAmazonUrl(text)).toMatchObject({ kind: "refused", code: "link-missing" });
  });
});

describe("paths", () => {
  it.each([
    "/dp/B0ZZ1Y2X3W",
    "//dp//B0ZZ1Y2X3W",
    "/dp/product/B0ZZ1Y2X3W",
    "/dp/tracks/B0ZZ1Y2X3W",
    "/gp/B0ZZ1Y2X3W",
    "/gp/product/B0ZZ1Y2X3W",
    "/gp/product/glance/B0ZZ1Y2X3W",
    "/gp/aw/d/B0ZZ1Y2X3W",
    "/gp/aw/d/?asin=B0ZZ1Y2X3W",
    "/gp/aw/d/ref=x?asin=B0ZZ1Y2X3W",
    "/gp/offer-listing?asin=b0zz1y2x3w",
    "/gp/offer-listing/B0ZZ1Y2X3W",
    "/product/B0ZZ1Y2X3W",
    "/Some-Lamp/product-reviews/B0ZZ1Y2X3W/ref=cm",
    "/o/ASIN/B0ZZ1Y2X3W",
    "/exec/obidos/ASIN/B0ZZ1Y2X3W",
    "/exec/obidos/tg/detail/-/B0ZZ1Y2X3W",
    "/d/Electronics/Some-Lamp/B0ZZ1Y2X3W",
    "/d/Electronics/dp/B0ZZ1Y2X3W",
    "/product/dp/B0ZZ1Y2X3W",
    "/DP/b0zz1y2x3w",
    "/-/en/dp/B0ZZ1Y2X3W",
    "/Some-Lamp/dp/B0ZZ1Y2X3W/ref=sr_1_1?psc=1&th=1",
    "/-/pt_BR/Lampe/gp/product/B0ZZ1Y2X3W",
    "/本/dp/B0ZZ1Y2X3W",
    "/dp/B0ZZ1Y2X3W%3Ftag%3Dme-20%26linkCode%3Dxm2",
    "/gp/help/../../dp/B0ZZ1Y2X3W",
  ])("finds the product in %s", (path) => {
    const product = { kind: "product", asin: "B0ZZ1Y2X3W", productId: "B0ZZ1Y2X3W", canonicalUrl: DP };
    expect(parseAmazonUrl(STORE + path)).toMatchObject(product);
  });

  it("finds the ISBN of a book", () => {
    expect(parseAmazonUrl(`${STORE}/dp/155404295x`)).toMatchObject({ kind: "product", asin: "155404295X" });
  });

  it.each([
    ["/shop/jane-doe", "jane-doe", "/shop/jane-doe", "jane-doe"],
    ["/-/es/shop/jane-doe/list/1A2B3C4D5E?ref=inf", "jane-doe", "/shop/jane-doe", "jane-doe"],
    ["/shop/beautytips", "beautytips", "/shop/beautytips", "beautytips"],
    ["/shop/josé", "jos%C3%A9", "/shop/jos%C3%A9", "jos-C3-A9"],
    ["/shop/B0ZZ1Y2X3W", "B0ZZ1Y2X3W", "/shop/B0ZZ1Y2X3W", "page-B0ZZ1Y2X3W"],
    ["/shop/jane/dp/B0ZZ1Y2X3W", "jane", "/shop/jane", "jane"],
    ["/stores/Anker", "Anker", "/stores/Anker", "Anker"],
    ["/stores/Anker/Cables/page/0AB1-22?ref=x", "0AB1-22", "/stores/Anker/Cables/page/0AB1-22", "0AB1-22"],
    ["/stores/node/2597", "2597", "/stores/node/2597", "2597"],
    ["/stores/page", "page", "/stores/page", "page"],
    ["/stores/author/B000APZGGS", "B000APZGGS", "/stores/author/B000APZGGS", "page-B000APZGGS"],
  ])("finds the storefront in %s", (path, handle, canonicalPath, productId) => {
    const canonicalUrl = STORE + canonicalPath;
    expect(parseAmazonUrl(STORE + path)).toMatchObject({ kind: "storefront", handle, canonicalUrl, productId });
  });

  it.each([
    ["amazon", ["", "?tag=me-21", "/-/en/", "/ref=nav_logo", "/..."]],
    ["E2-98-83", ["/%E2%98%83"]],
    ["s", ["/s?asin=B0ZZ1Y2X3W", "/s/ref=nb_sb?field-keywords=x&lp_context_asin=B0ZZ1Y2X3W"]],
    ["shop", ["/shop"]],
    ["stores", ["/stores/"]],
    ["gp", ["/gp/goldbox", "/gp/video/detail/B0ZZ1Y2X3W", "/gp/anything/dp/B0ZZ1Y2X3W", "/gp/product/glance"]],
    ["gp", ["/gp/aws/cart/add.html?ASIN.1=B0ZZ1Y2X3W", "/gp/aw/d/B0ZZ1Y2X3W1?asin=B0ZZ1Y2X3W"]],
    ["gp", ["/gp/aw/d?asin=https://x/dp/B0ZZ1Y2X3W"]],
    ["hz", ["/hz/wishlist/ls/B0ZZ1Y2X3W"]],
    ["Jane-Doe", ["/Jane-Doe/e/B000APZGGS", "/Jane-Doe/gp/B0ZZ1Y2X3W"]],
    ["dp", ["/dp/B0ZZ1Y2X3W1", "/dp/12345678X0", "/dp/A0ZZ1Y2X3W", "/dp/slug/dp/B0ZZ1Y2X3W", "/dp?asin=B0ZZ1Y2X3W"]],
    ["d", ["/d/B0ZZ1Y2X3W"]],
    ["page-B0ZZ1Y2X3W", ["/dp/../B0ZZ1Y2X3W", "/B0ZZ1Y2X3W"]],
    ["a".repeat(128), [`/${"a".repeat(200)}`]],
  ])("the page %s is no product: %j", (productId, paths) => {
    for (const path of paths) {
      const page = { kind: "other", canonicalUrl: null, productId, webUrl: STORE + path };
      expect(parseAmazonUrl(STORE + path)).toMatchObject(page);
    }
  });
});

describe("short links", () => {
  it.each([
    "amzn.to/3AbC-_9",
    "a.co/d/abc1234",
    "amzn.eu/d/abc1234",
    "amzn.asia/d/abc1234",
    "amzn.in/d/abc1234",
    "amzn.com/dp/B0ZZ1Y2X3W",
    "amzn.com/B0ZZ1Y2X3W",
    "link.amazon/B0Zz9Yy8X",
    "amzlinks.in/B0Z",
    "amzlink.to/az0",
  ])("finds a code in %s, never a product", (address) => {
    const [host = "", code = ""] = address.split(/\/(.*)/);
    const url = `https://${address}`;
    expect(parseAmazonUrl(url)).toEqual({ kind: "short", host, code, url, tag: null });
  });

  it("resolves short links by https, with their query and without their fragment", () => {
    expect(parseAmazonUrl("HTTP://WWW.AMZN.TO:80/3abc/?tag=me-20&x='#top")).toEqual({
      kind: "short",
      host: "amzn.to",
      code: "3abc",
      url: "https://www.amzn.to/3abc/?tag=me-20&x='",
      tag: "me-20",
    });
  });

  it.each([
    "https://amzn.to",
    "https://amzn.to/?x=abc",
    "https://a.co/d/abc%20d",
    "https://a.co/d/abc.d",
    "https://amzn.eu/d/本",
    "https://m.amzn.to/abc",
    "https://amzn.to.evil.example/abc",
    "https://xa.co/abc",
  ])("refuses %s, which contains no code", (url) => {
    expect(parseAmazonUrl(url)).toMatchObject(NOT_AMAZON);
  });
});

describe("webUrl", () => {
  it.each([
    ["  http://WWW.Amazon.COM:80/Ein-Buch/DP/155404295x?Tag=Me\n", `${STORE}/Ein-Buch/DP/155404295x?Tag=Me`],
    [`${STORE}:443/a/../dp/./x?k='~!()*;:@$,[]|^\`{}"<>%zz%&&a==b??#a?b=c`, undefined],
    [`${STORE}/é?k=ü🔥`, `${STORE}/%C3%A9?k=%C3%BC%F0%9F%94%A5`],
  ])("keeps path and query of %s byte by byte", (text, webUrl = text.replace(":443", "").replace("#a?b=c", "")) => {
    expect(parseAmazonUrl(text)).toMatchObject({ webUrl });
  });

  const withLength = (length: number) => `${DP}?`.padEnd(length, "x");

  it("has at most 4,096 bytes, measured after encoding", () => {
    expect(parseStorePage(withLength(4_096))).not.toBeNull();
    expect(parseStorePage(`${withLength(4_090)}é`)).not.toBeNull();
    const japanese = "https://amazon.jp/dp/B0ZZ1Y2X3W?".padEnd(4_090, "x");
    const short = `https://amzn.to/3abc?${"é".repeat(700)}`;
    for (const text of [withLength(4_097), `${withLength(4_091)}é`, japanese, short, short.padEnd(5_000, "x")])
      expect(parseAmazonUrl(text)).toMatchObject({ kind: "refused", code: "link-too-long" });
  });
});

describe("a new destination", () => {
  it.each(["/dp/", "/dp", "/Echo-Dot/dp/?tag=x-20", "/gp/product/#reviews"])(
    "is incomplete if it ends with %s",
    (end) => {
      expect(parseNewDestination(STORE + end)).toMatchObject({ kind: "refused", code: "link-incomplete" });
    },
  );

  // Specification 5.2
  it.each([
    ...["dp", "gp/product", "dp/product", "dp/tracks", "gp/product/glance", "gp/aw/d", "gp/offer-listing"],
    ...["o/ASIN", "exec/obidos/ASIN", "exec/obidos/tg/detail/-", "Lamp/product-reviews", "-/de/Lamp/dp"],
  ])("is incomplete if what follows /%s/ is no ASIN", (before) => {
    const others = [
      "",
      "ASIN",
      "B0ZZ1Y2X3",
      "B0ZZ1Y2X3WW",
      "B0ZZ1Y2X3W%20",
      "B0ZZ1Y2X3W)",
      "%E2%80%8BB0ZZ1Y2X3W",
      "ref=x",
    ];
    for (const end of others.flatMap((part) => [part, `${part}?tag=me-20`, `${part}/ref=x#top`])) {
      const url = `${STORE}/${before}/${end}`;
      expect([url, parseNewDestination(url)]).toEqual([url, expect.objectContaining({ code: "link-incomplete" })]);
      expect(parseStorePage(url)).not.toBeNull();
    }
    expect(parseNewDestination(`${STORE}/${before}/B0ZZ1Y2X3W?tag=me-20`)).toMatchObject({ kind: "product" });
  });

  it.each([
    ...[DP, `${STORE}/s?k=/dp/`, `${STORE}/gp/bestsellers/`, `${STORE}/shop/anna/dp/x`, `${STORE}/gp/video/detail/x`],
    ...[`${STORE}/gp/aw/d?asin=B0ZZ1Y2X3W`, `${STORE}/DP-lamps/b?node=1`],
  ])("can be %s", (url) => {
    expect(parseNewDestination(url)).toEqual(parseAmazonUrl(url));
  });
});
