import { healthCase } from "@tapthru/amazon-stand-in/health-pages";
import { PRODUCT_PAGES } from "@tapthru/amazon-stand-in/product-pages";
import { parseAmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { isProductImage } from "@tapthru/proto/rules/amazon/images";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePage } from "./parse-page.ts";

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
  return parsePage(page);
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
    const result = await parsePage({ status: 200, contentType: null, bytes });
    expect(result).toMatchObject({ kind: "read" });
    expect("asin" in result ? result.asin : undefined).toBe(asin);
  });

  it("says that the product cannot be bought", async () => {
    expect(await parseStandInPage("B0HNOST001")).toMatchObject({ state: "out-of-stock" });
  });

  it.each(["B0HGOOD001", "B0HSELL001", "B0DESKTOP1", "B0BOOKPAGE"])(
    "does not say so if it, or another seller, has the product: %s",
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
  ])("has its title in the language of amazon.%s", async (marketplace, title) => {
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
  ])("is cleaned: %s gives %j", async (asin, title) => {
    expect(await parseStandInPage(asin)).toMatchObject({ metadata: { title } });
  });

  it("without visible characters yields no metadata", async () => {
    expect(await parseStandInPage("B0BLANKTTL")).toEqual({ kind: "nothing", outcome: "unreadable" });
  });

  it.each(["Amazon.com", "amazon.co.uk", "Amazon"])("'%s' yields no metadata", async (name) => {
    const bytes = Buffer.from(`<title>x</title><span id="productTitle">${name}</span>`);
    expect(await parsePage({ status: 200, contentType: null, bytes })).toMatchObject({ kind: "nothing" });
  });
});

describe("an image", () => {
  it.each([
    ["B0GREYPIX1", null],
    ["B0SPRITE01", null],
    ["B0ALIENIMG", null],
    ["B0SCRIPTIM", null],
    ["B0BADJSON1", image("71Lamp._AC_SX300_SY300_QL70_FMwebp_")],
    ["B0ALIENDYN", image("71Lamp._AC_SX679_")],
  ])("is a product image of Amazon, or null: %s gives %j", async (asin, imageUrl) => {
    expect(await parseStandInPage(asin)).toMatchObject({ metadata: { title: "Desk lamp", imageUrl } });
  });
});

describe("an obstacle", () => {
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
  ])("yields its outcome: %s is %s", async (asin, outcome) => {
    expect(await parseStandInPage(asin)).toEqual({ kind: "nothing", outcome });
  });
});

describe("any page", () => {
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

  it("yields clean metadata or nothing, and nothing for a captcha", async () => {
    await fc.assert(
      fc.asyncProperty(html, async (html) => {
        const page = { status: 200, contentType: "text/html", bytes: Buffer.from(html) };
        const result = await parsePage(page);
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
});
