import { describe, expect, it } from "vitest";
import { parseAmazonUrl } from "./amazon-url.ts";
import { findAmazonUrl, findAmazonUrlList } from "./find-amazon-url.ts";

const PRODUCT = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";

describe("findAmazonUrl", () => {
  it.each([
    ["amazon.de/dp/B0ZZ1Y2X3W", "https://amazon.de/dp/B0ZZ1Y2X3W"],
    ["www.amazon.com/gp/product/B0ZZ1Y2X3W", "https://www.amazon.com/gp/product/B0ZZ1Y2X3W"],
    ["WWW.Amazon.com/s?k=lamp", "https://WWW.Amazon.com/s?k=lamp"],
    ["amazon.com?k=lamp", "https://amazon.com?k=lamp"],
    ["amzn.to/3abc", "https://amzn.to/3abc"],
    ["a.co/d/abc1234", "https://a.co/d/abc1234"],
    ["link.amazon/B0Zz9Yy8X", "https://link.amazon/B0Zz9Yy8X"],
    ["amazon.de/s?u=https://evil.example/", "https://amazon.de/s?u=https://evil.example/"],
    ["Mine: amzn.to/3abc.", "https://amzn.to/3abc"],
  ])("adds the scheme to %s", (text, url) => {
    expect(findAmazonUrl(text)).toBe(url);
  });

  it.each([
    [PRODUCT, PRODUCT],
    [`  ${PRODUCT}\r\n`, PRODUCT],
    ["http://www.amazon.de/dp/B0ZZ1Y2X3W", "http://www.amazon.de/dp/B0ZZ1Y2X3W"],
    ["Check this out https://amzn.eu/d/abc", "https://amzn.eu/d/abc"],
    ["Anker Cable (2 m)\nhttps://amzn.eu/d/abc\n\nSent from my phone", "https://amzn.eu/d/abc"],
    ["商品名https://amzn.asia/d/abc", "https://amzn.asia/d/abc"],
    ["Link:https://amzn.to/3abc", "https://amzn.to/3abc"],
    ["👉amzn.to/3abc🔥", "https://amzn.to/3abc"],
    ["❤️https://amzn.to/3abc❤️", "https://amzn.to/3abc"],
    ["\u200eamzn.to/3abc\u200b", "https://amzn.to/3abc"],
    [`See ${PRODUCT}.`, PRODUCT],
    [`Have you seen ${PRODUCT}?!`, PRODUCT],
    [`(${PRODUCT})`, PRODUCT],
    [`(see ${PRODUCT}).`, PRODUCT],
    [`<${PRODUCT}>`, PRODUCT],
    [`"${PRODUCT}",`, PRODUCT],
    [`'${PRODUCT}'`, PRODUCT],
    [`„${PRODUCT}“`, PRODUCT],
    [`» ${PRODUCT} «`, PRODUCT],
    [`「${PRODUCT}」。`, PRODUCT],
    [`**${PRODUCT}**`, PRODUCT],
    [`[lamp](${PRODUCT})`, PRODUCT],
    [`[${PRODUCT}](${PRODUCT})`, PRODUCT],
    [`[${PRODUCT}](<${PRODUCT}>).`, PRODUCT],
    [`[url]${PRODUCT}[/url]`, PRODUCT],
    [`\`${PRODUCT}\``, PRODUCT],
    [`~~${PRODUCT}~~`, PRODUCT],
    [`||${PRODUCT}||`, PRODUCT],
    ["`amzn.to/3abc`", "https://amzn.to/3abc"],
    ["(amazon.de/dp/B0ZZ1Y2X3W)", "https://amazon.de/dp/B0ZZ1Y2X3W"],
    ["I saw it on amazon.com, look: https://amzn.to/3abc", "https://amzn.to/3abc"],
    ["https://example.com/?x=1 or https://amzn.to/3abc", "https://amzn.to/3abc"],
    ["https://aws.amazon.com/s3 and https://amzn.to/3abc", "https://amzn.to/3abc"],
    ["https://amzn.to/3abc https://amzn.to/4def", "https://amzn.to/3abc"],
  ])("finds the link in %j", (text, url) => {
    expect(findAmazonUrl(text)).toBe(url);
  });

  it.each([
    "https://www.amazon.com/s?k=lamp_(red)",
    "https://www.amazon.com/s?k=[a](b){c}",
    "https://www.amazon.com/s?k='x'&tag=me-20",
    'https://www.amazon.com/s?k="x"&tag=me-20',
    "https://www.amazon.com/s?k=a,b;c!&tag=me-20",
    "https://www.amazon.co.jp/本の名前/dp/B0ZZ1Y2X3W?tag=me-22",
    "https://www.amazon.com/dp/B0ZZ1Y2X3W/",
    "https://www.amazon.com/dp/B0ZZ1Y2X3W?x=%20&y=a+b",
  ])("keeps every byte of %s", (url) => {
    expect(findAmazonUrl(url)).toBe(url);
  });

  it.each([
    "",
    "   ",
    "amazon",
    "amazon.com",
    "www.amazon.com/",
    "I found it on amazon.com.",
    "https://evil.example/?u=https://amazon.com/dp/B0ZZ1Y2X3W",
    "https://evil.example/amazon.com/dp/B0ZZ1Y2X3W",
    "https://evil.example/(amazon.com/dp/B0ZZ1Y2X3W)",
    'https://evil.example/"https://amazon.com/dp/B0ZZ1Y2X3W"',
    "evil.example/amazon.com/dp/B0ZZ1Y2X3W",
    "evil.example/?u=https://amazon.com/dp/B0ZZ1Y2X3W",
    "evil.example/https://amazon.com/dp/B0ZZ1Y2X3W",
    "evil.example#https://amazon.com/dp/B0ZZ1Y2X3W",
    "evil.example\\https://amazon.com/dp/B0ZZ1Y2X3W",
    "someone@https://amazon.com/dp/B0ZZ1Y2X3W",
    "someone@amazon.com/dp/B0ZZ1Y2X3W",
    "ñamazon.com/dp/B0ZZ1Y2X3W",
    "-amazon.com/dp/B0ZZ1Y2X3W",
    "notamazon.com/dp/B0ZZ1Y2X3W",
    "https://amazon.com.evil.example/dp/B0ZZ1Y2X3W",
    "https://user@amazon.com/dp/B0ZZ1Y2X3W",
    "//amazon.com/dp/B0ZZ1Y2X3W",
    "\\\\amazon.com/dp/B0ZZ1Y2X3W",
    "javascript:alert(1)//https://amazon.com/dp/B0ZZ1Y2X3W",
    "intent://amazon.com/dp/B0ZZ1Y2X3W",
    "com.amazon.mobile.shopping.web://amazon.com/dp/B0ZZ1Y2X3W",
    "https://bit.ly/3abc",
    "https://media.co/d/abc",
  ])("finds nothing in %j", (text) => {
    expect(findAmazonUrl(text)).toBeNull();
  });

  it.each([
    ["https://www.amazon.com/dp/\nB08N5WRWNW?tag=x-20", "/dp/B08N5WRWNW?tag=x-20"],
    ["https://www.amazon.com/dp/B08N5\r\nWRWNW?tag=x-20", "/dp/B08N5WRWNW?tag=x-20"],
    ["https://www.amazon.com/dp/ B08N5WRWNW", "/dp/B08N5WRWNW"],
    ["https://www.amazon.com/Echo-\nDot/dp/B08N5WRWNW/ref=x", "/Echo-Dot/dp/B08N5WRWNW/ref=x"],
    ["www.amazon.com/dp/\nB08N5WRWNW", "/dp/B08N5WRWNW"],
    ["<https://www.amazon.com/dp/\nB08N5WRWNW>, a lamp", "/dp/B08N5WRWNW"],
    ["https://www.amazon.com/dp/B08N5WRWNW\n?tag=x-20", "/dp/B08N5WRWNW?tag=x-20"],
    ["https://www.amazon.com/dp/B08N5WRWNW?\ntag=x-20", "/dp/B08N5WRWNW?tag=x-20"],
    ["https://www.amazon.com/dp/B08N5WRWNW?tag=x-\n20 is good", "/dp/B08N5WRWNW?tag=x-20"],
    [
      "https://www.amazon.com/Echo-Dot/dp/\nB08N5WRWNW/ref=sr_1_1?dib=eyJ2IjoiMSJ9-0123456789-abc\n0123456789-0123456789-0123456789-0123456789\ndef&tag=x-20\nIt has been a good lamp.",
      "/Echo-Dot/dp/B08N5WRWNW/ref=sr_1_1?dib=eyJ2IjoiMSJ9-0123456789-abc0123456789-0123456789-0123456789-0123456789def&tag=x-20",
    ],
  ])("joins the link that is cut in %j", (text, url) => {
    expect(findAmazonUrl(text)).toBe(`https://www.amazon.com${url}`);
  });

  it.each([
    "https://www.amazon.com/dp/ is a good lamp",
    "https://www.amazon.com/dp/B08N5 is a good lamp",
    "https://www.amazon.com/gp/bestsellers/ B08N5WRWNW",
    "https://www.amazon.com/dp/B08N5WRWNW is a good lamp",
    "https://www.amazon.com/dp/B08N5WRWNW/ Great",
    "https://www.amazon.com/dp/B08N5WRWNW?tag=x-20 code=SAVE20",
    "https://www.amazon.com/dp/B08N5WRWNW\tB0ZZ1Y2X3W",
    "https://www.amazon.com/dp/B08N5WRWNW?psc=1 and then ?tag=x-20",
    "https://www.amazon.com/shop/ lamps/dp/B08N5WRWNW",
    "https://www.amazon.com/dp/ evil.example/B08N5WRWNW",
    `https://www.amazon.com/${"x".repeat(4_050)} ${"y".repeat(50)}/dp/B08N5WRWNW`,
  ])("joins no other words in %j", (text) => {
    expect(findAmazonUrl(text)).toBe(text.split(/\s/)[0]);
  });

  it("returns an Amazon host that is not a store, so that the error can name it", () => {
    const url = findAmazonUrl("my bucket: s3.amazonaws.com/x or https://aws.amazon.com/s3");
    expect(url).toBe("https://s3.amazonaws.com/x");
    expect(parseAmazonUrl(url ?? "")).toEqual({
      kind: "refused",
      code: "not-a-shopping-page",
      host: "s3.amazonaws.com",
    });
  });
});

describe("findAmazonUrlList", () => {
  const OTHER = "https://www.amazon.com/dp/B0ZZ1Y2X3Z";

  it.each([
    [`${PRODUCT}\n${OTHER}`, [PRODUCT, OTHER]],
    [`1. ${PRODUCT}\r\n2. ${OTHER}\r\n`, [PRODUCT, OTHER]],
    [`${PRODUCT}\t${OTHER}`, [PRODUCT, OTHER]],
    [`My lamps: ${PRODUCT}, ${OTHER}.`, [PRODUCT, OTHER]],
    ["amzn.to/3abc a.co/d/abc1234", ["https://amzn.to/3abc", "https://a.co/d/abc1234"]],
  ])("finds both links in %j", (text, urls) => {
    expect(findAmazonUrlList(text)).toEqual(urls);
  });

  it("joins each link that is cut", () => {
    const text = `Lamps:\n${PRODUCT.slice(0, 30)}\n${PRODUCT.slice(30)}\n${OTHER.slice(0, -3)}\n${OTHER.slice(-3)}`;
    expect(findAmazonUrlList(text)).toEqual([PRODUCT, OTHER]);
  });

  it("returns a repeated link once", () => {
    expect(findAmazonUrlList(`${PRODUCT} ${OTHER} ${PRODUCT}`)).toEqual([PRODUCT, OTHER]);
  });

  it("keeps addresses that are refused, but no other words", () => {
    const refused = ["https://bit.ly/3abc", "https://aws.amazon.com/s3"];
    const text = [PRODUCT, "and/or shop.example/x", refused[0], "aws.amazon.com/s3", OTHER].join("\n");
    expect(findAmazonUrlList(text)).toEqual([PRODUCT, ...refused, OTHER]);
  });

  it.each(["", "no link", PRODUCT, `${PRODUCT} ${PRODUCT}`, `${PRODUCT} https://bit.ly/3abc`])(
    "returns nothing for %j, which is not a list",
    (text) => {
      expect(findAmazonUrlList(text)).toEqual([]);
    },
  );
});
