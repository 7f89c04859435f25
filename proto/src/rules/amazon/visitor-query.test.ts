import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { READER_IDS } from "../mail-ids.ts";
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

  it("passes on no id that names one reader of a mail, however it is written", () => {
    expect(READER_IDS.size).toBeGreaterThan(30);
    const escaped = (name: string) => `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
    for (const name of READER_IDS) {
      for (const written of [name, name.toUpperCase(), `${name}[]`, `a;${name}`, escaped(name)]) {
        expect([written, appendVisitorQuery(PRODUCT, `${written}=1&utm_medium=x`)]).toEqual([
          written,
          `${PRODUCT}?utm_medium=x`,
        ]);
      }
      const owners = `${PRODUCT}?${name}=2`;
      expect(appendVisitorQuery(owners, `${name}=1`)).toBe(owners);
    }
  });

  it.each([
    "smid=A1EVIL",
    "m=A1EVIL",
    "me=A1EVIL",
    "rh=p_6%3AA1EVIL",
    "offerListingId=x1evil",
    "OfferListingId.1=x1evil",
    "merchant-id=A1EVIL",
    "sellerID=A1EVIL",
    "ASIN.2=B0EVIL0000",
    "Quantity.1=99",
    "items[0][asin]=B0EVIL0000",
    "field-keywords=evil",
    "pct-off=50-",
    "includeOutOfStock=1",
    "ds=v1%3Aevil",
    "low-price=1",
    "sort=price-asc-rank",
    "f_new=true",
    "psc=1",
    "nodl=1",
    "language=de_DE",
    "rank=price",
    "keyword=evil",
    "hidden_keywords=evil",
    "field_keyword=evil",
    "p-36=1-2",
    "startIndex=10",
    "olp-opf-redir=1",
    "isAmazonFulfilled=1",
    "isEligibleForPrime=1",
    "reviewerType=all_reviews",
    "itemId=I1EVIL",
    "SKU=evil",
    "submit.add.x=1",
    "rcxSubsQuan=9",
    "claimCode=EVIL",
    "outofstock=1",
    "fpw=alm",
    "d%73=v1",
    "+dc",
    "pct%2Doff[]=50-",
    "promoCode=EVIL",
    "SM%49D=A1EVIL",
    "%2573mid=A1EVIL",
    "%252573mid=A1EVIL",
    "smid[]=A1EVIL",
    "m%5B%5D=A1EVIL",
    "m[0]=A1EVIL",
    "me.1=A1EVIL",
    "m_1=A1EVIL",
    "+smid=A1EVIL",
    "%20m%20=A1EVIL",
    "a=1;smid=A1EVIL",
    "a=1%3Bm=A1EVIL",
    "a=1%2526smid%253DA1EVIL",
    "a=1?smid=A1EVIL",
    "utm_source=x;smid=A1EVIL",
    "fbclid=x%26m%3DA1EVIL",
    "amp;smid=A1EVIL",
    "%EF%BD%93mid=A1EVIL",
    "smid%00=A1EVIL",
    "smid",
  ])("leaves to the owner what %s decides", (parameter) => {
    for (const webUrl of [PRODUCT, `${PRODUCT}?tag=anna-21`, "https://www.amazon.de/s?k=mug"]) {
      expect(appendVisitorQuery(webUrl, parameter)).toBe(webUrl);
      expect(appendVisitorQuery(webUrl, `igsh=1&${parameter}&${parameter}`)).toBe(appendVisitorQuery(webUrl, "igsh=1"));
    }
  });

  it.each([
    "utm_source=ig&utm_medium=social&utm_campaign=price-search_2&utm_content=seller&utm_term=smid&utm_id=1",
    "at_keyword=lamp&yd_keyword=lamp&piwik_keyword=lamp&matomo_kwd=lamp&trk_keyword=lamp&keyword_id=1&utm_stock=1",
    "mkt_unsubscribe=1&browser=chrome&instagram_id=3&redirect_mongo_id=4",
    "_t=8abc&_r=1&s1=a&s2=b&sv1=affiliate&awc=1_2_3&irclickid=1&xcust=a&cjevent=1&_openstat=a&roistat=1",
    "_hsmi=1&hsLang=en&_ke=1&ef_id=a:G:s&s_kwcid=AL!1&s_cid=2&adobe_mc=TS",
    "ad_id=1&adset_name=a&campaign_name=b&placement=c&site_source_name=ig&matchtype=e&targetid=kwd-1&pin_id=4",
    "mtm_keyword=lamp&pk_keyword=lamp&hsa_kw=lamp",
    "fbclid=IwAR0-_x&igsh=MzRl%3D%3D&igshid=1",
    "gclid=Cj0&gad_source=1&gbraid=0AAA&wbraid=1&gad_campaignid=2&srsltid=Afm",
    "msclkid=a&ttclid=E.C.P&twclid=2&li_fat_id=1&epik=dj0&ScCid=1&rdt_cid=3&yclid=4&dclid=5",
    "mc_cid=1&et_cid=2&_gl=1*x&_ga=2.1&mibextid=x&sfnsn=wa&si=abc&share_id=7&xmt=AQ",
  ])("passes on %s", (query) => {
    expect(appendVisitorQuery(`${PRODUCT}?tag=anna-21`, query)).toBe(`${PRODUCT}?tag=anna-21&${query}`);
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

  it("passes on nothing that decides seller, offer, results, cart or opening, in any spelling", () => {
    const name = fc.constantFrom(
      ...[
        "smid",
        "m",
        "me",
        "merchant",
        "merchantId",
        "seller",
        "sellerID",
        "offerListingId",
        "OfferListingID",
        "ASIN",
      ],
      ...[
        "Quantity",
        "rh",
        "k",
        "keywords",
        "field-keywords",
        "i",
        "s",
        "sort",
        "n",
        "node",
        "bbn",
        "p_6",
        "low-price",
      ],
      ...["th", "psc", "aod", "f_new", "condition", "url", "page", "nodl", "dplnk", "language", "marketplaceID"],
    );
    const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
    const SPELLINGS: readonly ((text: string) => string)[] = [
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.replace(/./, escaped),
      (text) => text.replaceAll(/./g, escaped),
      (text) => text.replace(/./, escaped).replace("%", "%25"),
      (text) => text.replaceAll(/./g, escaped).replaceAll("%", "%2525"),
    ];
    const START = ["", "+", "%20", "?", "%3F", "%00", "%E2%80%8B"];
    const END = ["", "[]", "%5B%5D", "[0]", ".1", "%2E1", "_1", "+", "%20", "%00"];
    const BEFORE = ["", "a=1;", "a;", "utm_source=x;", "fbclid=1%26", "a=1%3B", "a=1%2526", "amp;", "a=1?"];
    const parameter = fc
      .record({
        name,
        spelling: fc.constantFrom(...SPELLINGS),
        start: fc.constantFrom(...START),
        end: fc.constantFrom(...END),
        before: fc.constantFrom(...BEFORE),
        equals: fc.constantFrom("=", "%3D"),
      })
      .map(({ name, spelling, start, end, before, equals }) =>
        [before, start, spelling(name), end, equals, "EVIL"].join(""),
      );
    const fine = fc.constantFrom("utm_source=ig", "fbclid=IwAR", "igsh=1", "gclid=Cj0");
    const owner = fc.constantFrom(
      PRODUCT,
      `${PRODUCT}?tag=anna-21&smid=OWN`,
      "https://www.amazon.de/s?k=mug&rh=p_6%3AOWN",
    );
    fc.assert(
      fc.property(owner, fc.array(fc.oneof(parameter, fine), { maxLength: 6 }), (webUrl, brought) => {
        const kept = brought.filter((each) => !each.includes("EVIL")).join("&");
        expect(appendVisitorQuery(webUrl, brought.join("&"))).toBe(appendVisitorQuery(webUrl, kept));
        const expected = kept === "" ? webUrl : `${webUrl}${webUrl.includes("?") ? "&" : "?"}${kept}`;
        expect(appendVisitorQuery(webUrl, kept)).toBe(expected);
      }),
      { numRuns: 5_000 },
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
