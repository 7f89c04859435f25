import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asin, storeAddress } from "../testing/arbitrary-urls.ts";
import { parseAmazonUrl } from "./amazon-url.ts";
import { findAmazonUrl, findAmazonUrlList } from "./find-amazon-url.ts";

const HOST = "https://www.amazon.com";
const words = fc.array(fc.stringMatching(/^[A-Za-z]{1,12}(-[0-9]{1,2})?[.,!]?$/), { maxLength: 5 });
const lineBreak = fc.constantFrom("\n", "\r\n", " ", "\n  ", "\t");

const taggedLink = fc
  .record({
    title: fc.stringMatching(/^Lamp-[A-Za-z0-9-]{0,40}$/),
    asin,
    ref: fc.constantFrom("", "/", "/ref=sr_1_3"),
    before: fc.constantFrom("", "th=1&", "dib=eyJ2IjoiMSJ9-abc_DEF&keywords=lamp&"),
    after: fc.constantFrom("", "&psc=1", "&linkId=abc&ref_=as_li_ss_tl"),
  })
  .map(({ title, asin, ref, before, after }) => `${HOST}/${title}/dp/${asin}${ref}?${before}tag=my-store-20${after}`);

describe("a product link that is cut once, between other words", () => {
  const cutLink = fc
    .tuple(taggedLink, lineBreak, fc.nat(), words, words)
    .map(([link, lineBreak, position, before, after]) => {
      const at = HOST.length + (position % (link.length - HOST.length));
      const cut = link.slice(0, at) + lineBreak + link.slice(at);
      return { link, at, text: [...before, cut, ...after].join(" ") };
    });

  it("keeps its product and its tag", () => {
    fc.assert(
      fc.property(cutLink, ({ link, text }) => {
        expect(productOf(findAmazonUrl(text) ?? "")).toEqual(productOf(link));
      }),
      { numRuns: 2_000 },
    );
  });

  it("joins a link that is cut before its tag", () => {
    fc.assert(
      fc.property(cutLink, ({ link, at, text }) => {
        fc.pre(at < link.indexOf("my-store-20"));
        expect(findAmazonUrl(text)).toBe(link);
      }),
      { numRuns: 2_000 },
    );
  });
});

function productOf(url: string) {
  const parsed = parseAmazonUrl(url);
  return parsed.kind === "product" ? [parsed.asin, parsed.tag] : parsed;
}

it("changes no link that is followed by words", () => {
  fc.assert(
    fc.property(taggedLink, words, words, (link, before, after) => {
      expect(findAmazonUrl([...before, link, ...after].join(" "))).toBe(link);
    }),
  );
});

it("changes no list of links", () => {
  const product = storeAddress.filter(({ url }) => {
    const { kind } = parseAmazonUrl(url);
    return kind !== "refused" && findAmazonUrl(url) === url;
  });
  fc.assert(
    fc.property(fc.array(product, { minLength: 2, maxLength: 5 }), lineBreak, (all, lineBreak) => {
      const urls = [...new Set(all.map(({ url }) => url))];
      fc.pre(urls.length > 1);
      expect(findAmazonUrlList(urls.join(lineBreak))).toEqual(urls);
    }),
  );
});
