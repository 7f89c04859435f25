import { healthCase } from "@tapthru/amazon-stand-in/health-pages";
import { PRODUCT_PAGES } from "@tapthru/amazon-stand-in/product-pages";
import { hugePage, tagFlood } from "@tapthru/amazon-stand-in/response";
import { parseAmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { isProductImage } from "@tapthru/proto/rules/amazon/images";
import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyResponse } from "./classify.ts";
import { decodePage, readPage } from "./read-page.ts";

/** The stand-in's response for an ASIN, as safe-fetch would return it; null if it is not a plain page. */
function standInPage(asin: string, marketplace = "com") {
  const page = parseAmazonUrl(`https://www.amazon.${marketplace}/dp/${asin}`);
  if (page.kind !== "product") throw new Error(`${asin} is not an ASIN`);
  const response = (PRODUCT_PAGES[asin] ?? healthCase(asin))?.(page);
  if (!response || "fault" in response || response.location || response.contentEncoding) return null;
  const { status, contentType = "text/html;charset=UTF-8", body = "" } = response;
  return { status, contentType, bytes: Buffer.from(body) };
}

async function parseStandInPage(asin: string, marketplace?: string) {
  const page = standInPage(asin, marketplace);
  if (page === null) throw new Error(`${asin} is no plain page`);
  return readPage(page);
}

const image = (name: string) => `https://m.media-amazon.com/images/I/${name}.jpg`;

describe("a product page", () => {
  it.each([
    ["the field of the cart", '<input id="ASIN" value="b0hgood001">', "B0HGOOD001"],
    ["its canonical address", '<link rel="canonical" href="https://www.amazon.de/Lamp/dp/B0HGOOD001">', "B0HGOOD001"],
    [
      "the field rather than the address",
      '<link rel="canonical" href="https://www.amazon.de/dp/B0HGOOD002"><input id="ASIN" value="B0HGOOD001">',
      "B0HGOOD001",
    ],
    ["neither", '<input id="ASIN" value=""><link rel="canonical" href="/">', undefined],
  ])("names its product by %s", async (_name, html, asin) => {
    const bytes = Buffer.from(`${html}<span id="productTitle">Lamp</span>`);
    const result = await readPage({ status: 200, contentType: null, bytes });
    expect(result).toMatchObject({ kind: "read" });
    expect("asin" in result ? result.asin : undefined).toBe(asin);
  });

  it("says that the product cannot be bought", async () => {
    expect(await parseStandInPage("B0HNOST001")).toMatchObject({ state: "out-of-stock" });
  });

  it.each(["B0HGOOD001", "B0HSELL001", "B0DESKTOP1", "B0BOOKPAGE"])(
    "a page does not report a missing product that it, or another seller, has: %s",
    async (asin) => {
      const result = await parseStandInPage(asin);
      expect(result.kind).toBe("read");
      expect(result).not.toHaveProperty("state");
    },
  );

  it.each([
    ["B0DESKTOP1", "Desk lamp, dimmable – black", image("71Lamp._AC_SL1500_")],
    ["B0DYNAMIC1", "Desk lamp", image("71Lamp._AC_SX679_")],
    ["B0SRCONLY1", "Desk lamp", image("71Lamp._AC_SX300_")],
    ["B0BOOKPAGE", "A book", image("51Book._SX679_")],
    ["B0KINDLE01", "A Kindle book", image("41Kindle._SX679_")],
    ["B0NOIMAGE1", "Desk lamp", null],
    ["B0BOTHWAYS", "Desk lamp", image("71Lamp._AC_SL1500_")],
    ["B0COOKIES1", "Schreibtischlampe", null],
    ["B0QUOTES01", "Robot Check: the board game", null],
  ])("%s gives %j and %j", async (asin, title, imageUrl) => {
    expect(await parseStandInPage(asin)).toEqual({
      kind: "read",
      metadata: { title, description: null, imageUrl, siteName: null },
    });
  });

  it.each([
    ["sa", "مصباح مكتب قابل للتعتيم"],
    ["co.jp", "デスクライト 調光式【2026年版】"],
    ["fr", "Lampe de bureau à intensité réglable, œil-de-bœuf"],
    ["pl", "Lampka na biurko z możliwością ściemniania"],
  ])("reads the title in the language of amazon.%s", async (marketplace, title) => {
    expect(await parseStandInPage("B0LANGUAGE", marketplace)).toMatchObject({ metadata: { title } });
  });
});

describe("a title", () => {
  it.each([
    ["B0SCRIPT01", "Lamp black"],
    ["B0ENTITIES", '<script>alert(1)</script> "Lamp" &amp; 💡'],
    ["B0RTLTITLE", "Lamp gnp.exe مصباح desk"],
    ["B0CONTROLS", "Lamp desk light"],
    ["B0LONGNAME", `${"Lamp 💡 ".repeat(71)}Lam`],
    ["B0LONGWORD", "💡".repeat(500)],
  ])("cleans a title: %s gives %j", async (asin, title) => {
    expect(await parseStandInPage(asin)).toMatchObject({ metadata: { title } });
  });

  it("a title without visible characters yields no metadata", async () => {
    expect(await parseStandInPage("B0BLANKTTL")).toEqual({ kind: "nothing", outcome: "unreadable" });
  });

  it.each(["Amazon.com", "amazon.co.uk", "Amazon"])("'%s' yields no metadata", async (name) => {
    const bytes = Buffer.from(`<title>x</title><span id="productTitle">${name}</span>`);
    expect(await readPage({ status: 200, contentType: null, bytes })).toMatchObject({ kind: "nothing" });
  });
});

it.each([
  ["B0GREYPIX1", null],
  ["B0SPRITE01", null],
  ["B0ALIENIMG", null],
  ["B0SCRIPTIM", null],
  ["B0BADJSON1", image("71Lamp._AC_SX300_SY300_QL70_FMwebp_")],
  ["B0ALIENDYN", image("71Lamp._AC_SX679_")],
])("an image is a product image of Amazon, or null: %s gives %j", async (asin, imageUrl) => {
  expect(await parseStandInPage(asin)).toMatchObject({ metadata: { title: "Desk lamp", imageUrl } });
});

it.each([
  ["B0CAPTCHA1", "captcha"],
  ["B0CAPTCHA2", "captcha"],
  ["B0CONTINUE", "captcha"],
  ["B0ROBOTCHK", "captcha"],
  ["B0NAMEONLY", "captcha"],
  ["B0WAFTOKEN", "captcha"],
  ["B0BOTMANAG", "captcha"],
  ["B0DRESSEDC", "captcha"],
  ["B0CONSENT1", "consent"],
  ["B0ERROR503", "error-page"],
  ["B0ERROR200", "error-page"],
  ["B0ERROR500", "error-page"],
  ["B0GONE0404", "gone"],
  ["B0GONE0200", "gone"],
  ["B0REFUSED1", "refused"],
  ["B0TOOMANY1", "refused"],
  ["B0NOWHERE1", "unreadable"],
  ["B0PICTURE1", "unreadable"],
  ["B0NOTHING1", "unreadable"],
  ["B0WORDLESS", "unreadable"],
])("an obstacle yields its outcome: %s is %s", async (asin, outcome) => {
  expect(await parseStandInPage(asin)).toEqual({ kind: "nothing", outcome });
});

const html = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        '<span id="productTitle">',
        '<img id="landingImage" src="',
        "data-old-hires='",
        "data-a-dynamic-image='",
        '<meta property="og:image" content="',
        '<meta property="og:title" content="',
        '{"https://m.media-amazon.com/images/I/71.jpg":[1,2]}',
        "https://m.media-amazon.com/images/I/71.jpg",
        "https://evil.example/images/I/71.jpg",
        "/errors/validateCaptcha",
        "&#0;&#x202e;&#xd800;&lt;b&gt;",
        "<script>",
        "</span>",
        "'>",
        '">',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

it("any page yields clean metadata or nothing, and nothing for a captcha", async () => {
  await fc.assert(
    fc.asyncProperty(html, async (html) => {
      const page = { status: 200, contentType: "text/html", bytes: Buffer.from(html) };
      const result = await readPage(page);
      if (result.kind === "nothing") return;
      const { title, description, imageUrl, siteName } = result.metadata;
      expect(html).not.toContain("/errors/validateCaptcha");
      expect(imageUrl === null || isProductImage(imageUrl)).toBe(true);
      for (const text of [title, description, siteName]) {
        expect(text ?? "").not.toMatch(/\p{Cc}|\p{Bidi_Control}|\p{Cs}/u);
        expect(text).not.toBe("");
      }
    }),
    { numRuns: 500 },
  );
});

const LAMP = '<span id="productTitle">Lamp</span>';

it.each([
  "/errors/validateCaptcha",
  "https://opfcaptcha.amazon.com/",
  "csm-captcha-instrumentation",
  "?bm-verify=AAQ",
  "aws-waf-token",
  "window.gokuProps = {}",
])("recognizes a captcha by %s, even on a product page and with an error status", (part) => {
  expect(classifyResponse(200, `${LAMP}<script>"${part}"</script>`)).toBe("captcha");
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
  expect(classifyResponse(200, words + LAMP)).toBeNull();
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
  expect(classifyResponse(status, LAMP)).toBe(outcome);
});

const latin1 = (text: string) => Buffer.from(text, "latin1");
/** 灯 in Shift_JIS. */
const LAMP_SJIS = latin1("\x93\x94");

it.each([
  ["undeclared UTF-8", Buffer.from("été"), null, "été"],
  ["UTF-8 that the header calls Latin-1", Buffer.from("été"), "text/html; charset=latin1", "été"],
  ["Shift_JIS of the header", LAMP_SJIS, "text/html;charset=Shift_JIS", "灯"],
  ["Shift_JIS of the header in quotes", LAMP_SJIS, 'text/html; charset="sjis"', "灯"],
  ["EUC-JP", latin1("\xc5\xf4"), "text/html; charset=EUC-JP", "灯"],
  ["Latin-1 with the Euro sign of Windows", latin1("\xe9 \x80"), "a; charset=iso-8859-1", "é €"],
  ["a charset of the page itself", latin1("<meta charset=latin1>\xe9t"), "text/html", "<meta charset=latin1>ét"],
  ["an unknown charset", Buffer.from("été"), "text/html; charset=x-nonsense", "été"],
  ["bytes of no charset that is named", latin1("a\xe9b"), "text/html; charset=x-nonsense", "a\ufffdb"],
  ["bytes that break the charset named", latin1("\x93\x94\x83\x01"), "a; charset=sjis", "灯\ufffd\x01"],
  ["nothing", Buffer.of(), null, ""],
])("reads %s", (_what, bytes, contentType, text) => {
  expect(decodePage(bytes, contentType)).toBe(text);
});

it("ignores an incomplete last character", () => {
  expect(decodePage(Buffer.from("été").subarray(0, 4), null)).toBe("ét");
  expect(decodePage(latin1("\x93\x94\x93"), "a; charset=sjis")).toBe("灯");
});

const read = (html: string) =>
  readPage({ status: 200, contentType: "text/html", bytes: Buffer.from(html).subarray(0, FETCH_MAX_BYTES) });

it("reads no more of a page than it needs", async () => {
  const product = `<input id="ASIN" value="B0HGOOD001"><input id="add-to-cart-button">${LAMP}<img id="landingImage" src="${image("71Lamp")}">`;
  const turnsOf = async (html: string) => {
    let turns = 0;
    let isReading = true;
    const turn = () => {
      turns++;
      if (isReading) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await read(html)).toMatchObject({ metadata: { title: "Lamp" } });
    isReading = false;
    return turns;
  };
  expect(await turnsOf(hugePage(product))).toBeLessThan(10);
  expect(await turnsOf(hugePage(LAMP))).toBeGreaterThan(50);
});

it.each(["<div>", "<b><table>", "<svg>", "<noscript>"])("refuses 2 MiB of %s", async (tags) => {
  expect(await read(tagFlood(tags))).toEqual({ kind: "nothing", outcome: "unreadable" });
});

it.each([
  "<p>",
  "</p>",
  "<svg/>",
  "<tr><td>",
  "<!--",
  "<a ",
  "&",
  '<meta property="og:title" content="&quot;">',
  '<img id="landingImage" data-a-dynamic-image="{">',
])("reads a page with 2 MiB of %s", async (part) => {
  expect(await read(tagFlood(part))).toMatchObject({ metadata: { title: "Lamp" } });
});
