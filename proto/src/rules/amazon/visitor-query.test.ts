import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendVisitorQuery, MAX_DESTINATION_LENGTH } from "./visitor-query.ts";

const PRODUCT = "https://www.amazon.de/dp/B000000001";

describe("appendVisitorQuery", () => {
  it.each([
    ["to an address without a query", PRODUCT, "utm_source=ig", "?utm_source=ig"],
    ["to a query", `${PRODUCT}?th=1`, "utm_source=ig", "&utm_source=ig"],
    ["to an empty query", `${PRODUCT}?`, "fbclid=x", "fbclid=x"],
    ["to a query that ends in &", `${PRODUCT}?th=1&`, "fbclid=x", "fbclid=x"],
    ["several, in their order", PRODUCT, "b=2&a=1&b=3", "?b=2&a=1&b=3"],
    ["without empty ones", PRODUCT, "&&a=1&", "?a=1"],
    ["byte for byte", PRODUCT, "q=a%20b+c~(d)!'e'", "?q=a%20b+c~(d)!'e'"],
    ["with broken encodings left broken", PRODUCT, "a=%zz%", "?a=%zz%"],
  ])("adds %s", (_, webUrl, query, added) => {
    expect(appendVisitorQuery(webUrl, query)).toBe(`${webUrl}${added}`);
  });

  it.each([
    "tag=evil-21",
    "TAG=evil-21",
    "t%61g=evil-21",
    "+tag=evil-21",
    "tag",
    "ascsubtag=1",
    "linkCode=1",
    "link-id=1",
    "creative=1",
    "camp=1",
    "maas=1",
    "ref_=1",
    "adid=0QX",
    "T=evil-21",
    "%74=evil-21",
    "assoc=1",
    "asc_campaign=1",
    "aa_campaignid=1",
    "tt_esc=1",
    "from=newsletter",
    "openExternalBrowser=1",
    "original_url=https%3A%2F%2Fevil.example",
    "product_id=1",
    "?tag=evil-21",
    "tag%00=evil-21",
    "%E2%80%8Btag=evil-21",
    "ta%0Ag=evil-21",
    "a=1;tag=evil-21",
    "a;t%61g=evil-21",
    "a=1%26associate-id=evil-21",
    "a=1%3Btag%3Devil-21",
    "tracking_id=evil-21",
    "creativeASIN=B000000001",
  ])("never passes on %s", (parameter) => {
    expect(appendVisitorQuery(PRODUCT, parameter)).toBe(PRODUCT);
    expect(appendVisitorQuery(PRODUCT, `${parameter}&a=1`)).toBe(`${PRODUCT}?a=1`);
  });

  it.each([
    ["th=1", "th=2"],
    ["th=1", "TH=2"],
    ["th=1", "t%68=2"],
    ["t%68=1", "th=2"],
    ["%zz=1", "%ZZ=2"],
    ["%aa=1", "\u00bb=2"],
    ["a;b=1", "a%3Bb=2"],
  ])("keeps the owner's %s if the visitor's query has %s", (owned, brought) => {
    const webUrl = `${PRODUCT}?${owned}`;
    expect(appendVisitorQuery(webUrl, brought)).toBe(webUrl);
  });

  it("escapes characters that an address must not contain", () => {
    expect(appendVisitorQuery(PRODUCT, 'a="<>\\^`{|}#\u00e4')).toBe(`${PRODUCT}?a=%22%3C%3E%5C%5E%60%7B%7C%7D%23%E4`);
  });

  it("drops the visitor's parameters if the address would be too long", () => {
    const fits = "x".repeat(MAX_DESTINATION_LENGTH - PRODUCT.length - "?a=".length);
    expect(appendVisitorQuery(PRODUCT, `a=${fits}`)).toHaveLength(MAX_DESTINATION_LENGTH);
    expect(appendVisitorQuery(PRODUCT, `a=${fits}x`)).toBe(PRODUCT);
    expect(appendVisitorQuery(PRODUCT, `a=1&tag=${"x".repeat(MAX_DESTINATION_LENGTH)}`)).toBe(PRODUCT);
  });
});

describe("appendVisitorQuery, for any owner's address and any visitor's query", () => {
  const ownerQuery = fc.string({ unit: fc.constantFrom(..."abTAG=&%61;+_tt") });
  const visitorQuery = fc.oneof(
    fc.string({ unit: "binary-ascii" }),
    fc.string({ unit: fc.constantFrom(..."abTAG=&%61;+_tt\u00ff\"'<#") }),
  );

  it("keeps the owner's address as an unchanged prefix", () => {
    fc.assert(
      fc.property(ownerQuery, visitorQuery, (owned, brought) => {
        const webUrl = `${PRODUCT}?${owned}`;
        expect(appendVisitorQuery(webUrl, brought).startsWith(webUrl)).toBe(true);
      }),
    );
  });

  it("never adds a value to a parameter of the owner, nor a tag", () => {
    fc.assert(
      fc.property(ownerQuery, visitorQuery, (owned, brought) => {
        const before = new URL(`${PRODUCT}?${owned}`).searchParams;
        const after = new URL(appendVisitorQuery(`${PRODUCT}?${owned}`, brought)).searchParams;
        for (const name of before.keys()) {
          expect(after.getAll(name)).toEqual(before.getAll(name));
        }
        expect(after.getAll("tag")).toEqual(before.getAll("tag"));
      }),
    );
  });

  it("leads to the same host and path, in printable ASCII", () => {
    fc.assert(
      fc.property(visitorQuery, (brought) => {
        const destination = appendVisitorQuery(PRODUCT, brought);
        expect(destination).toMatch(/^[\x21-\x7e]+$/);
        const { origin, pathname } = new URL(destination);
        expect(`${origin}${pathname}`).toBe(PRODUCT);
      }),
    );
  });
});
