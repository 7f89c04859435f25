import { describe, expect, it } from "vitest";
import { parseAmazonUrl, parseNewDestination, parseStorePage } from "./amazon-url.ts";
import { MARKETPLACES } from "./marketplaces.ts";

describe("hosts", () => {
  const hosts = Object.keys(MARKETPLACES).flatMap((key) =>
    ["", "www.", "m.", "smile."].map((prefix) => [`${prefix}amazon.${key}`, key] as const),
  );

  it.each(hosts)("accepts %s as a store", (host, marketplace) => {
    expect(parseAmazonUrl(`https://${host}/dp/B0ZZ1Y2X3W`)).toMatchObject({
      kind: "product",
      marketplace,
      webUrl: `https://${host}/dp/B0ZZ1Y2X3W`,
      canonicalUrl: `https://www.amazon.${marketplace}/dp/B0ZZ1Y2X3W`,
    });
  });

  it.each(["amazon.jp", "www.amazon.jp", "m.amazon.jp"])("reads %s as www.amazon.co.jp", (host) => {
    expect(parseAmazonUrl(`https://${host}/dp/B0ZZ1Y2X3W?tag=me-22`)).toMatchObject({
      marketplace: "co.jp",
      webUrl: "https://www.amazon.co.jp/dp/B0ZZ1Y2X3W?tag=me-22",
    });
  });

  it.each([
    "aws.amazon.com",
    "sellercentral.amazon.de",
    "advertising.amazon.com",
    "affiliate-program.amazon.com",
    "music.amazon.co.uk",
    "read.amazon.com",
    "pay.amazon.com",
    "business.amazon.de",
    "photos.amazon.com",
    "developer.amazon.com",
    "ec1.amazon.co.jp",
    "www.smile.amazon.com",
    "amazon.com.co",
    "amazon.cl",
    "amazon.com.ng",
    "s3.amazonaws.com",
    "m.media-amazon.com",
    "images-na.ssl-images-amazon.com",
    "aax.amazon-adsystem.com",
    "www.primevideo.com",
    "www.audible.com",
    "creatorsapi.amazon",
    "r.amzlink.to",
  ])("refuses %s, an Amazon host that is not a store, with an error that names it", (host) => {
    expect(parseAmazonUrl(`https://${host}/dp/B0ZZ1Y2X3W`)).toEqual({
      kind: "refused",
      code: "not-a-shopping-page",
      host,
    });
  });

  it.each([
    "https://media.co/x",
    "https://amazon.com.evil.example/",
    "https://evil.example/?u=amazon.com",
    "https://evil.example/amazon.com/dp/B0ZZ1Y2X3W",
    "https://evil.example/#https://www.amazon.com/dp/B0ZZ1Y2X3W",
    "https://evil.example?https://www.amazon.com/dp/B0ZZ1Y2X3W",
    "https://evilamazon.com/dp/B0ZZ1Y2X3W",
    "https://www.amazon-com.example/",
    "https://amaz0n.com/",
    "https://аmazon.com/",
    "https://xn--mazon-3ve.com/",
    "https://amazon。com/",
    "https://lin\u212a.amazon/B0Zz9Yy8X",
    "https://ａｍａｚｏｎ.com/",
    "https://amazon.pt/dp/B0ZZ1Y2X3W",
    "https://amazon.co/dp/B0ZZ1Y2X3W",
    "https://amazon.be/dp/B0ZZ1Y2X3W",
    "https://amazon.constructor/",
    "https://amazon.__proto__/",
    "https://www.m.amazon.evil/",
    "https://amazon.com./dp/B0ZZ1Y2X3W",
    "https://audible.example/",
    "https://bit.ly/abc",
    "https://geni.us/abc",
    "https://www.google.com/url?q=https://www.amazon.com/dp/B0ZZ1Y2X3W",
  ])("refuses %s, which is not Amazon's", (url) => {
    expect(parseAmazonUrl(url)).toEqual({ kind: "refused", code: "not-an-amazon-link" });
  });

  // Specification 5.2
  it.each([
    "https://www.amazon.com@evil.example/",
    "https://user@www.amazon.com/dp/B0ZZ1Y2X3W",
    "https://user:password@www.amazon.com/dp/B0ZZ1Y2X3W",
    "https://@www.amazon.com/dp/B0ZZ1Y2X3W",
    "https://www.amazon.com:8443/dp/B0ZZ1Y2X3W",
    "https://www.amazon.com:80/dp/B0ZZ1Y2X3W",
    "http://www.amazon.com:443/dp/B0ZZ1Y2X3W",
    "https://www.amazon.com:/dp/B0ZZ1Y2X3W",
    "https://www.amazon.com:0443/dp/B0ZZ1Y2X3W",
    "https://www%2Eamazon.com/dp/B0ZZ1Y2X3W",
    "https://it's.amazon.com/dp/B0ZZ1Y2X3W",
    "https://127.0.0.1/dp/B0ZZ1Y2X3W",
    "https://0x7f.1/dp/B0ZZ1Y2X3W",
    "https://2130706433/",
    "https://[::1]/dp/B0ZZ1Y2X3W",
    "https:///www.amazon.com/dp/B0ZZ1Y2X3W",
    "https:/www.amazon.com/dp/B0ZZ1Y2X3W",
    "https:www.amazon.com/dp/B0ZZ1Y2X3W",
    "https:\\\\www.amazon.com/dp/B0ZZ1Y2X3W",
    "https://www.amazon.com\\dp\\B0ZZ1Y2X3W",
    "https://www.amazon.com/dp\\B0ZZ1Y2X3W",
    "https://www.amazon.com/s?k=\\",
    "https://evil.example\\@www.amazon.com/dp/B0ZZ1Y2X3W",
    "https://www.amazon.com\\@evil.example/",
    "//www.amazon.com/dp/B0ZZ1Y2X3W",
    "/dp/B0ZZ1Y2X3W",
    "www.amazon.com/dp/B0ZZ1Y2X3W",
    "ftp://www.amazon.com/dp/B0ZZ1Y2X3W",
    "javascript:alert(1)//www.amazon.com/dp/B0ZZ1Y2X3W",
    "javascript://www.amazon.com/%0aalert(1)",
    "data:text/html,https://www.amazon.com/",
    "intent://www.amazon.com/dp/B0ZZ1Y2X3W#Intent;end",
    "view-source:https://www.amazon.com/dp/B0ZZ1Y2X3W",
    "https://www.amazon.com/dp/B0ZZ1Y2X3W and more",
    "https://www.amazon.com/dp/B0ZZ\n1Y2X3W",
    "https://www.ama\tzon.com/dp/B0ZZ1Y2X3W",
    "https://www.amazon.com/dp/B0ZZ1Y2X3W?a=\0",
    "https://www.amazon.com/dp/B0ZZ1Y2X3W?a=\x7f",
    "https://www.amazon.com/dp/B0ZZ1Y2X3W?a=\x85b",
    "https://www.amazon.com/dp/B0ZZ1Y2X3W?a=\ud83d",
    "https://www.amazon.com/\udd25/dp/B0ZZ1Y2X3W",
    "https://",
    "not a link",
  ])("refuses %j, although it contains Amazon's name", (url) => {
    expect(parseAmazonUrl(url)).toEqual({ kind: "refused", code: "not-an-amazon-link" });
  });

  it.each(["", " ", "\t\r\n "])("requires an address instead of %j", (text) => {
    expect(parseAmazonUrl(text)).toEqual({
      kind: "refused",
      code: "link-missing",
    });
  });
});

describe("paths", () => {
  it.each([
    ["/dp/B0ZZ1Y2X3W"],
    ["/dp/B0ZZ1Y2X3W/"],
    ["//dp//B0ZZ1Y2X3W"],
    ["/dp/product/B0ZZ1Y2X3W"],
    ["/dp/tracks/B0ZZ1Y2X3W"],
    ["/gp/product/B0ZZ1Y2X3W"],
    ["/gp/product/glance/B0ZZ1Y2X3W"],
    ["/gp/aw/d/B0ZZ1Y2X3W"],
    ["/gp/aw/d/?asin=B0ZZ1Y2X3W"],
    ["/gp/aw/d/ref=x?asin=B0ZZ1Y2X3W"],
    ["/gp/offer-listing/B0ZZ1Y2X3W"],
    ["/gp/offer-listing?asin=b0zz1y2x3w"],
    ["/gp/B0ZZ1Y2X3W"],
    ["/product/B0ZZ1Y2X3W"],
    ["/product-reviews/B0ZZ1Y2X3W"],
    ["/Some-Lamp/product-reviews/B0ZZ1Y2X3W/ref=cm"],
    ["/o/ASIN/B0ZZ1Y2X3W"],
    ["/exec/obidos/ASIN/B0ZZ1Y2X3W"],
    ["/exec/obidos/tg/detail/-/B0ZZ1Y2X3W"],
    ["/d/Electronics/Some-Lamp/B0ZZ1Y2X3W"],
    ["/d/Electronics/dp/B0ZZ1Y2X3W"],
    ["/product/dp/B0ZZ1Y2X3W"],
    ["/DP/b0zz1y2x3w"],
    ["/Some-Lamp/dp/B0ZZ1Y2X3W/ref=sr_1_1?psc=1&th=1"],
    ["/Some-Lamp/dp/B0ZZ1Y2X3W/135-1234567-1234567"],
    ["/-/en/dp/B0ZZ1Y2X3W"],
    ["/-/pt_BR/Lampe/gp/product/B0ZZ1Y2X3W"],
    ["/L%C3%A4mpchen-100%25/dp/B0ZZ1Y2X3W"],
    ["/Lämpchen/dp/B0ZZ1Y2X3W"],
    ["/本の名前/dp/B0ZZ1Y2X3W"],
    ["/%00%0d%0a<script>/dp/B0ZZ1Y2X3W"],
    ["/dp/B0ZZ1Y2X3W%3Ftag%3Dme-20%26linkCode%3Dxm2"],
    ["/gp/help/../../dp/B0ZZ1Y2X3W"],
  ])("finds the product in %s", (path) => {
    expect(parseAmazonUrl(`https://www.amazon.com${path}`)).toMatchObject({
      kind: "product",
      asin: "B0ZZ1Y2X3W",
      productId: "B0ZZ1Y2X3W",
      canonicalUrl: "https://www.amazon.com/dp/B0ZZ1Y2X3W",
    });
  });

  it.each([
    ["https://www.amazon.de/-/en/Ein-Buch/dp/155404295X/ref=x?tag=me-21", "155404295X", "me-21"],
    ["https://m.amazon.co.jp/gp/aw/d/b0zz1y2x3w?psc=1", "B0ZZ1Y2X3W", null],
    ["https://www.amazon.co.uk/dp/155404295x", "155404295X", null],
    ["https://www.amazon.com/gp/product/0306406152", "0306406152", null],
  ])("reads %s", (url, asin, tag) => {
    expect(parseAmazonUrl(url)).toMatchObject({ kind: "product", asin, tag });
  });

  it.each([
    ["/shop/jane-doe", "jane-doe", "/shop/jane-doe", "jane-doe"],
    ["/shop/jane-doe/list/1A2B3C4D5E", "jane-doe", "/shop/jane-doe", "jane-doe"],
    ["/shop/jane-doe/photo/B0ZZ1Y2X3W", "jane-doe", "/shop/jane-doe", "jane-doe"],
    ["/-/es/shop/jane-doe?ref=inf", "jane-doe", "/shop/jane-doe", "jane-doe"],
    ["/shop/beautytips", "beautytips", "/shop/beautytips", "beautytips"],
    ["/shop/josé", "jos%C3%A9", "/shop/jos%C3%A9", "jos-C3-A9"],
    ["/shop/B0ZZ1Y2X3W", "B0ZZ1Y2X3W", "/shop/B0ZZ1Y2X3W", "page-B0ZZ1Y2X3W"],
    ["/shop/jane/dp/B0ZZ1Y2X3W", "jane", "/shop/jane", "jane"],
    ["/stores/Anker", "Anker", "/stores/Anker", "Anker"],
    ["/stores/page/0AB1-22?ref=x", "0AB1-22", "/stores/page/0AB1-22", "0AB1-22"],
    ["/stores/Anker/page/0AB1-22", "0AB1-22", "/stores/Anker/page/0AB1-22", "0AB1-22"],
    ["/stores/Anker/Cables/page/0AB1-22", "0AB1-22", "/stores/Anker/Cables/page/0AB1-22", "0AB1-22"],
    ["/stores/node/2597", "2597", "/stores/node/2597", "2597"],
    ["/stores/page", "page", "/stores/page", "page"],
    ["/stores/author/B000APZGGS", "B000APZGGS", "/stores/author/B000APZGGS", "page-B000APZGGS"],
    [
      "/stores/Jane-Doe/author/B000APZGGS/about",
      "B000APZGGS",
      "/stores/Jane-Doe/author/B000APZGGS/about",
      "page-B000APZGGS",
    ],
  ])("finds the storefront in %s", (path, handle, canonicalPath, productId) => {
    expect(parseAmazonUrl(`https://amazon.co.uk${path}`)).toMatchObject({
      kind: "storefront",
      handle,
      canonicalUrl: `https://www.amazon.co.uk${canonicalPath}`,
      productId,
    });
  });

  it.each([
    ["", "amazon"],
    ["/", "amazon"],
    ["?tag=me-21", "amazon"],
    ["/-/en/", "amazon"],
    ["/ref=nav_logo", "amazon"],
    ["/%E2%98%83", "E2-98-83"],
    ["/...", "amazon"],
    ["/s?k=lamp", "s"],
    ["/s?asin=B0ZZ1Y2X3W", "s"],
    ["/s/ref=nb_sb?field-keywords=x&lp_context_asin=B0ZZ1Y2X3W", "s"],
    ["/b?node=2597", "b"],
    ["/events/primeday", "events"],
    ["/deal/1234567890", "deal"],
    ["/shop", "shop"],
    ["/stores/", "stores"],
    ["/gp/goldbox", "gp"],
    ["/gp/bestsellers/books", "gp"],
    ["/gp/video/detail/B0ZZ1Y2X3W", "gp"],
    ["/gp/cart/view.html", "gp"],
    ["/gp/aws/cart/add.html?ASIN.1=B0ZZ1Y2X3W&Quantity.1=1", "gp"],
    ["/gp/anything/dp/B0ZZ1Y2X3W", "gp"],
    ["/hz/wishlist/ls/B0ZZ1Y2X3W", "hz"],
    ["/ideas/amzn1.account.AAAA/B0ZZ1Y2X3W", "ideas"],
    ["/live/broadcast/B0ZZ1Y2X3W", "live"],
    ["/vdp/0123456789abcdef", "vdp"],
    ["/promocode/A1B2C3D4E5F6", "promocode"],
    ["/sp?seller=A1B2C3", "sp"],
    ["/Jane-Doe/e/B000APZGGS", "Jane-Doe"],
    ["/Some-Lamp/gp/B0ZZ1Y2X3W", "Some-Lamp"],
    ["/wishlist/1234567890", "wishlist"],
    ["/list/1234567890", "list"],
    ["/x?ref=asc_df_B0ZZ1Y2X3W", "x"],
    ["/dp/B0ZZ1Y2X3W1", "dp"],
    ["/dp/B0ZZ1Y2X3", "dp"],
    ["/dp/B0ZZ1Y2X3É", "dp"],
    ["/dp/12345678X0", "dp"],
    ["/dp/A0ZZ1Y2X3W", "dp"],
    ["/dp/slug/dp/B0ZZ1Y2X3W", "dp"],
    ["/dp/../B0ZZ1Y2X3W", "page-B0ZZ1Y2X3W"],
    ["/B0ZZ1Y2X3W", "page-B0ZZ1Y2X3W"],
    ["/gp/product/glance", "gp"],
    ["/gp/aw/d/B0ZZ1Y2X3W1?asin=B0ZZ1Y2X3W", "gp"],
    ["/gp/aw/d?asin=https://x/dp/B0ZZ1Y2X3W", "gp"],
    ["/dp?asin=B0ZZ1Y2X3W", "dp"],
    ["/d/B0ZZ1Y2X3W", "d"],
  ])("finds no product in %s", (path, productId) => {
    expect(parseAmazonUrl(`https://www.amazon.com${path}`)).toMatchObject({
      kind: "other",
      canonicalUrl: null,
      productId,
      webUrl: `https://www.amazon.com${path.replace(/[^ -~]+/g, encodeURIComponent)}`,
    });
  });
});

it("cuts the product id of a long path segment at 128 characters", () => {
  expect(parseAmazonUrl(`https://www.amazon.com/${"a".repeat(200)}`)).toMatchObject({
    productId: "a".repeat(128),
  });
});

describe("the tag", () => {
  it.each([
    ["https://www.amazon.com.be/s?k=lamp&tag=me-21", "me-21"],
    ["https://www.amazon.com/dp/B0ZZ1Y2X3W?tag=one-20&tag=two-20", "one-20"],
    ["https://www.amazon.com/dp/B0ZZ1Y2X3W?tag=", null],
    ["https://www.amazon.com/dp/B0ZZ1Y2X3W?ascsubtag=me-20", null],
    ["https://www.amazon.com/dp/B0ZZ1Y2X3W?x=1#tag=me-20", null],
    ["https://www.amazon.com/dp/B0ZZ1Y2X3W?tag=me%2D20", "me-20"],
    ["https://www.amazon.com/dp/B0ZZ1Y2X3W?tag=%E0%A4%A", "\ufffd%A"],
    ["https://www.amazon.com/exec/obidos/ASIN/080442957X/ref=nosim/mystore-20", "mystore-20"],
    ["https://www.amazon.com/exec/obidos/ASIN/080442957X/mystore-20", "mystore-20"],
    ["https://www.amazon.com/o/ASIN/080442957X/mystore-20/", "mystore-20"],
    ["https://www.amazon.com/o/ASIN/080442957X/mystore-20?tag=other-20", "other-20"],
    ["https://www.amazon.com/o/ASIN/080442957X/mystore-20/102-1234567-1234567", "mystore-20"],
    ["https://www.amazon.com/exec/obidos/ASIN/080442957X/102-1234567-1234567", null],
    ["https://www.amazon.com/o/ASIN/080442957X/two/parts", null],
    ["https://www.amazon.com/o/ASIN/080442957X/my%20store", null],
    ["https://www.amazon.com/dp/080442957X/mystore-20", null],
  ])("of %s is %s", (url, tag) => {
    expect(parseAmazonUrl(url)).toMatchObject({ tag });
  });
});

describe("short links", () => {
  it.each([
    ["https://amzn.to/3AbC-_9", "amzn.to", "3AbC-_9"],
    ["https://www.amzn.to/3abcdef", "amzn.to", "3abcdef"],
    ["https://a.co/d/abc1234", "a.co", "d/abc1234"],
    ["https://a.co/abc1234/", "a.co", "abc1234"],
    ["https://amzn.eu/d/abc1234", "amzn.eu", "d/abc1234"],
    ["https://amzn.asia/d/abc1234", "amzn.asia", "d/abc1234"],
    ["https://amzn.in/d/abc1234", "amzn.in", "d/abc1234"],
    ["https://amzn.com/dp/B0ZZ1Y2X3W", "amzn.com", "dp/B0ZZ1Y2X3W"],
    ["https://amzn.com/w/ABC", "amzn.com", "w/ABC"],
    ["https://amzn.com/B0ZZ1Y2X3W", "amzn.com", "B0ZZ1Y2X3W"],
    ["https://link.amazon/B0Zz9Yy8X", "link.amazon", "B0Zz9Yy8X"],
    ["https://amzlinks.in/B0Zz9Yy8X", "amzlinks.in", "B0Zz9Yy8X"],
    ["https://amzlink.to/az0abc", "amzlink.to", "az0abc"],
  ])("finds a code in %s, never a product", (url, host, code) => {
    expect(parseAmazonUrl(url)).toEqual({ kind: "short", host, code, url, tag: null });
  });

  it("are resolved by https, with their query and without their fragment", () => {
    expect(parseAmazonUrl("HTTP://AMZN.TO:80/3abc?tag=me-20&x='#top")).toEqual({
      kind: "short",
      host: "amzn.to",
      code: "3abc",
      url: "https://amzn.to/3abc?tag=me-20&x='",
      tag: "me-20",
    });
  });

  it.each([
    "https://amzn.to",
    "https://amzn.to/",
    "https://amzn.to/?x=abc",
    "https://a.co/d/abc%20d",
    "https://a.co/d/abc.d",
    "https://amzn.eu/d/本",
    "https://m.amzn.to/abc",
    "https://amzn.to.evil.example/abc",
    "https://xa.co/abc",
  ])("refuses %s, which contains no code", (url) => {
    expect(parseAmazonUrl(url)).toEqual({ kind: "refused", code: "not-an-amazon-link" });
  });
});

describe("webUrl", () => {
  it.each([
    ["http://WWW.Amazon.COM:80/Ein-Buch/DP/155404295x?Tag=Me", "https://www.amazon.com/Ein-Buch/DP/155404295x?Tag=Me"],
    ["https://www.amazon.com:443", "https://www.amazon.com"],
    ["https://amazon.com?k=a+b%20c", "https://amazon.com?k=a+b%20c"],
    [
      "https://www.amazon.com/s?k='~!()*;:@$,[]|^`{}\"<>%zz%&&a==b??",
      "https://www.amazon.com/s?k='~!()*;:@$,[]|^`{}\"<>%zz%&&a==b??",
    ],
    ["https://www.amazon.fr/é?k=ü🔥", "https://www.amazon.fr/%C3%A9?k=%C3%BC%F0%9F%94%A5"],
    ["https://www.amazon.com/a/../dp/./x", "https://www.amazon.com/a/../dp/./x"],
    ["  https://www.amazon.com/s?k=x\n", "https://www.amazon.com/s?k=x"],
    ["https://www.amazon.com/s?k=x#a?b=c", "https://www.amazon.com/s?k=x"],
  ])("of %s is %s", (text, webUrl) => {
    expect(parseAmazonUrl(text)).toMatchObject({ webUrl });
  });

  const withLength = (length: number) => "https://www.amazon.com/dp/B0ZZ1Y2X3W?".padEnd(length, "x");

  it("has at most 4,096 bytes", () => {
    expect(parseStorePage(withLength(4_096))).not.toBeNull();
    expect(parseAmazonUrl(withLength(4_097)).kind).toBe("refused");
  });

  it("is measured after encoding", () => {
    expect(parseAmazonUrl(`${withLength(4_090)}é`).kind).toBe("product");
    expect(parseAmazonUrl(`${withLength(4_091)}é`)).toEqual({
      kind: "refused",
      code: "link-too-long",
    });
    const japanese = `https://amazon.jp/dp/B0ZZ1Y2X3W?`.padEnd(4_090, "x");
    for (const text of [`https://amzn.to/3abc?${"é".repeat(700)}`, japanese]) {
      expect(parseAmazonUrl(text)).toMatchObject({ code: "link-too-long" });
    }
  });
});

describe("a new destination", () => {
  const store = "https://www.amazon.com";

  it.each(["/dp/", "/dp", "/Echo-Dot/dp/?tag=x-20", "/gp/product/#reviews"])(
    "is incomplete if it ends with %s",
    (end) => {
      expect(parseNewDestination(store + end)).toEqual({
        kind: "refused",
        code: "link-incomplete",
      });
    },
  );

  it.each([`${store}/dp/B08N5WRWNW`, `${store}/s?k=/dp/`, `${store}/gp/bestsellers/`])("can be %s", (url) => {
    expect(parseNewDestination(url)).toEqual(parseAmazonUrl(url));
  });
});
