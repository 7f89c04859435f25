import { describe, expect, it } from "vitest";
import { findAmazonUrl, findAmazonUrlList } from "./find-amazon-url.ts";

const PRODUCT = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
const SHORT = "https://amzn.to/3abc";
const HOST = "https://www.amazon.com";

describe("findAmazonUrl", () => {
  it.each([
    `  ${PRODUCT}\r\n`,
    `See ${PRODUCT}.`,
    `Have you seen ${PRODUCT}?!`,
    `(see ${PRODUCT}).`,
    `<${PRODUCT}>`,
    `"${PRODUCT}",`,
    `'${PRODUCT}'`,
    `„${PRODUCT}“`,
    `» ${PRODUCT} «`,
    `「${PRODUCT}」。`,
    `商品名${PRODUCT}`,
    `**${PRODUCT}**`,
    `[lamp](${PRODUCT})`,
    `[${PRODUCT}](<${PRODUCT}>).`,
    `[url]${PRODUCT}[/url]`,
    `\`${PRODUCT}\``,
    `~~${PRODUCT}~~`,
    `||${PRODUCT}||`,
    `Link:${PRODUCT}`,
    `{"links":[{"id":"a","url":"${PRODUCT}","slug":"mug","createdAt":1757000000}]}`,
    `[{"key":"mug","url":"${PRODUCT}"},{"url":"https://go.example/x"}]`,
    `["${PRODUCT}",["${HOST}/dp/B0ZZ1Y2X3Z"]]`,
    `❤️${PRODUCT}❤️`,
    `I saw it on amazon.com, look: ${PRODUCT}`,
    `https://example.com/?x=1 or ${PRODUCT} or ${SHORT}`,
    `https://aws.amazon.com/s3 and ${PRODUCT}`,
  ])("finds the link in %j", (text) => {
    expect(findAmazonUrl(text)).toBe(PRODUCT);
  });

  it.each([
    "amzn.to/3abc",
    "Mine: amzn.to/3abc.",
    "👉amzn.to/3abc🔥",
    "\u200eamzn.to/3abc\u200b",
    "`amzn.to/3abc`",
    "(amzn.to/3abc)",
  ])("adds the scheme to the link in %j", (text) => {
    expect(findAmazonUrl(text)).toBe(SHORT);
  });

  it.each([
    `${HOST}/s?k=lamp_(red)`,
    `${HOST}/s?k=[a](b){c}`,
    `${HOST}/s?k='x'&tag=me-20`,
    `${HOST}/s?k=a,b;c!&tag=me-20`,
    `${HOST}/s?k=24"+lamp,27"&tag=me-20`,
    "https://www.amazon.co.jp/本の名前/dp/B0ZZ1Y2X3W?tag=me-22",
    `${HOST}/dp/B0ZZ1Y2X3W/`,
    "HTTP://Amazon.de?k=a",
  ])("keeps every byte of %s", (url) => {
    expect(findAmazonUrl(url)).toBe(url);
  });

  it.each([
    "",
    "amazon",
    "www.amazon.com/",
    "I found it on amazon.com.",
    `https://evil.example/?u=${PRODUCT}`,
    "https://evil.example/(amazon.com/dp/B0ZZ1Y2X3W)",
    `https://evil.example/"${PRODUCT}"`,
    "evil.example/amazon.com/dp/B0ZZ1Y2X3W",
    `evil.example#${PRODUCT}`,
    `evil.example\\${PRODUCT}`,
    `someone@${PRODUCT}`,
    "someone@amazon.com/dp/B0ZZ1Y2X3W",
    "ñamazon.com/dp/B0ZZ1Y2X3W",
    "-amazon.com/dp/B0",
    "//amazon.com/dp/B0ZZ1Y2X3W",
    "\\\\amazon.com/dp/B0ZZ1Y2X3W",
    `javascript:alert(1)//${PRODUCT}`,
    "intent://amazon.com/dp/B0ZZ1Y2X3W",
    "https://bit.ly/3abc",
    "https://media.co/d/abc",
  ])("finds nothing in %j", (text) => {
    expect(findAmazonUrl(text)).toBeNull();
  });

  it.each([
    ["/dp/\nB08N5WRWNW?tag=x-20", "/dp/B08N5WRWNW?tag=x-20"],
    ["/Echo-\r\nDot/dp/B08N5WRWNW/ref=x>, a lamp", "/Echo-Dot/dp/B08N5WRWNW/ref=x"],
    ["/dp/B08N5WRWNW\n?tag=x-20", "/dp/B08N5WRWNW?tag=x-20"],
    ["/dp/B08N5WRWNW?tag=x-\n20 is good", "/dp/B08N5WRWNW?tag=x-20"],
    [
      `/dp/\nB08N5WRWNW/ref=sr_1_1?dib=${"x".repeat(40)}\n${"y".repeat(40)}\ndef&tag=x-20\nIt has been a good lamp.`,
      `/dp/B08N5WRWNW/ref=sr_1_1?dib=${"x".repeat(40)}${"y".repeat(40)}def&tag=x-20`,
    ],
  ])("joins the link that is cut in %j", (text, url) => {
    expect(findAmazonUrl(HOST + text)).toBe(HOST + url);
  });

  it.each([
    "/dp/ is a good lamp",
    "/dp/B08N5 is a good lamp",
    "/gp/bestsellers/ B08N5WRWNW",
    "/dp/B08N5WRWNW/ Great",
    "/dp/B08N5WRWNW?tag=x-20 code=SAVE20",
    "/dp/B08N5WRWNW\tB0ZZ1Y2X3W",
    "/dp/B08N5WRWNW?psc=1 and ?tag=x-20",
    "/shop/ lamps/dp/B08N5WRWNW",
    "/dp/ evil.example/B08N5WRWNW",
    `/${"x".repeat(4_050)} ${"y".repeat(50)}/dp/B08N5WRWNW`,
  ])("joins no other words in %j", (text) => {
    expect(findAmazonUrl(HOST + text)).toBe(HOST + text.split(/\s/)[0]);
  });

  it("returns an Amazon host that is not a store, so that the error can name it", () => {
    const url = findAmazonUrl("my bucket: s3.amazonaws.com/x or https://aws.amazon.com/s3");
    expect(url).toBe("https://s3.amazonaws.com/x");
  });
});

describe("findAmazonUrlList", () => {
  const OTHER = "https://www.amazon.com/dp/B0ZZ1Y2X3Z";

  it.each([
    [`1. ${PRODUCT}\r\n2. ${OTHER}\r\n`, [PRODUCT, OTHER]],
    [`My lamps: ${PRODUCT}, ${OTHER}, ${PRODUCT}.`, [PRODUCT, OTHER]],
    ["amzn.to/3abc a.co/d/abc1234", [SHORT, "https://a.co/d/abc1234"]],
    [`${PRODUCT.slice(0, 30)}\n${PRODUCT.slice(30)}\n${OTHER.slice(0, -3)}\n${OTHER.slice(-3)}`, [PRODUCT, OTHER]],
  ])("finds each link once in %j", (text, urls) => {
    expect(findAmazonUrlList(text)).toEqual(urls);
  });

  it("keeps addresses that are refused, but no other words", () => {
    const refused = ["https://bit.ly/3abc", "https://aws.amazon.com/s3"];
    const text = [PRODUCT, "and/or shop.example/x", refused[0], "aws.amazon.com/s3", OTHER].join("\n");
    expect(findAmazonUrlList(text)).toEqual([PRODUCT, ...refused, OTHER]);
  });

  it.each(["", "no link", `${PRODUCT} ${PRODUCT}`, `${PRODUCT} https://bit.ly/3abc`])(
    "returns nothing for %j, which is not a list",
    (text) => {
      expect(findAmazonUrlList(text)).toEqual([]);
    },
  );
});
