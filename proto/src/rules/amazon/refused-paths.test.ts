import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redirectTarget } from "../app-opening/redirect-target.ts";
import { asin, storeAddress } from "../testing/arbitrary-urls.ts";
import { isStorePage, parseAmazonUrl, parseStorePage } from "./amazon-url.ts";
import { findAmazonUrl } from "./find-amazon-url.ts";

const REFUSED = { kind: "refused", code: "unusable-link" };
const STORE = "https://www.amazon.com";

const REFUSED_PATHS = [
  "/gp/redirect.html",
  "/gp/redirect.html/ref=x",
  "/gp/r.html",
  "/gp/f.html",
  "/gp/aw/redirect.html",
  "/gp/aw/rd.html",
  "/gp/slredirect/picassoRedirect.html/ref=x",
  "/gp/aw/x/redirector",
  "/gp/flex/sign-out.html",
  "/gp/sign-in.html",
  "/gp/navigation/redirector.html/ref=sign-in-redirect",
  "/exec/obidos/redirect",
  "/exec/obidos/redirect-home/me-20",
  "/exec/obidos/tg/redirect",
  "/exec/obidos/a/b/c/redirect.html",
  "/exec/redirect",
  "/o/redirect",
  "/o/x/redirect",
  "/gp/x/y/z/redirector.html",
  "/hz/mobile/redirect",
  "/redirect.html",
  "/redirector",
  "/errors/validateCaptcha",
  "/errors/500",
  "/gp/errors/404.html",
  "/ap",
  "/ap/signin",
  "/ap/signin/dp/B0ZZ1Y2X3W",
  "/ax/claim",
  "/sspa/click",
  "/sspa/tracker",
];

describe("redirectors, account pages and errors", () => {
  it.each(REFUSED_PATHS)("refuses %s", (path) => {
    expect(parseAmazonUrl(`${STORE}${path}?location=https%3A%2F%2Fevil.example&tag=me-20`)).toMatchObject(REFUSED);
  });

  it.each([
    "/./ap/signin",
    "/x/%252e%252e/ap/signin",
    "/x%2f..%2fap/signin",
    "/%25%36%31p/signin",
    "/ap%5Csignin",
    "/-/es_US/AP/signin",
    "/-/en-GB/ap/signin",
    "/-/ap/signin",
    "/-/-/ap/signin",
    "/%2D/en/ap/signin",
    "/-./en/ap",
    "/ap/..%2fdp/B0ZZ1Y2X3W",
    "/ap/../dp/B0ZZ1Y2X3W",
    "/ap%2E../signin",
    "/ap%20/signin",
    "/a%09p/signin",
    "/ap%00.png/signin",
    "/gp%2Fredirect.html%3FASIN=0545010225",
    "/%25252561p/signin",
    "/%2525252561p/signin",
    "/redirect",
    "/-/en/Redirect;x/ref=y",
    "//evil.example",
    "//evil.example:443/dp/B0ZZ1Y2X3W",
    "//me@evil.example/%2e%2e",
    "/%5cevil.example",
    "/.//evil.example",
    "/x/..//évil.example",
    "/%2fevil.example/",
    "/%252fevil.example",
    "///192.0.2.1",
  ])("refuses %s, which a server may read as such a page", (path) => {
    expect(parseAmazonUrl(STORE + path)).toMatchObject(REFUSED);
  });

  it.each([
    "/apparel",
    "/gp/redesign",
    "/gp/r.htmlx",
    "/gp/aw/d/B0ZZ1Y2X3W/redirect-lamp",
    "/Lamp/ap/signin",
    "/-/en",
    "/-",
    "/shop/ap/signin",
    "/stores/gp/redirect.html",
    "/s?k=/ap/signin",
    "/-/en/dp/B0ZZ1Y2X3W",
    "/ax/other",
    "/dp/B0ZZ1Y2X3W/../B0ZZ1Y2X3V",
    "/100%2525-Lamp/dp/B0ZZ1Y2X3W",
    "/sspa-lamp/dp/B0ZZ1Y2X3W",
    "/redirect/dp/B0ZZ1Y2X3W",
    "/redirects",
    "/Lamp/redirect/dp/B0ZZ1Y2X3W",
    "/o/ASIN/B0ZZ1Y2X3W/redirect-20",
    "/stores/Redirect/page/1",
    "/error",
    "/Lamp/errors/x",
    "//Lamp-2.0/dp/B0ZZ1Y2X3W",
    "//dp//B0ZZ1Y2X3W",
    "/evil.example",
    "/x//evil.example",
  ])("accepts %s, which only resembles one", (path) => {
    expect(parseStorePage(STORE + path)).not.toBeNull();
  });

  it("refuses redirectors and account pages on every store, in any spelling of the path and with anything after it", () => {
    const spelledPath = fc
      .tuple(
        fc.constantFrom("", "/-/en", "/-/pt_BR", "/-/zh/-/en", "//", "/x/..", "/x/..;y", "/%20"),
        fc.constantFrom(...REFUSED_PATHS),
        fc.infiniteStream(fc.constantFrom("as is", "upper case", "encoded", "doubled")),
        fc.constantFrom(
          "",
          "/",
          "/ref=x",
          "/dp/B0ZZ1Y2X3W",
          ";x=1",
          "%2Fx",
          ".",
          "%2e",
          "%00",
          "%2520",
          "/..;/..;/dp/B0ZZ1Y2X3W",
          "/../../dp/B0ZZ1Y2X3W",
        ),
      )
      .map(([prefix, path, changes, end]) => {
        const spelled = Array.from(path, (character) => spell(character, changes.next().value ?? "as is"));
        return prefix + spelled.join("") + end;
      });
    fc.assert(
      fc.property(storeAddress, spelledPath, ({ host, query }, path) => {
        expect(parseAmazonUrl(`https://${host}${path}${query}`.trimEnd())).toMatchObject(REFUSED);
      }),
      { numRuns: 2_000 },
    );
  });

  it("/redirect does not open redirectors and account pages", () => {
    const original_url = `${STORE}/gp/redirect.html?location=x`;
    expect(redirectTarget(new URLSearchParams({ product_id: "gp", original_url }))).toBeNull();
  });

  it("finds redirectors and account pages in text, so that the form can say why they are refused", () => {
    expect(findAmazonUrl(`Log in: ${STORE}/ap/signin.`)).toBe(`${STORE}/ap/signin`);
  });
});

function spell(character: string, change: string): string {
  const hex = (text: string) => text.charCodeAt(0).toString(16);
  switch (change) {
    case "upper case":
      return character.toUpperCase();
    case "encoded":
      return character === "/" ? "/" : `%${hex(character)}`;
    case "doubled":
      return character === "/" ? "//" : `%25${hex(character)}`;
    default:
      return character;
  }
}

describe("sponsored links", () => {
  const CLICK = `${STORE}/sspa/click?ie=UTF8&spc=MTo1OTE&`;
  const PRODUCT = "%2Fdp%2FB0ZZ1Y2X3W";

  it.each([
    ["URL=%2F-%2Fen%2FLamp%2Fdp%2FB0ZZ1Y2X3W%23reviews", "/-/en/Lamp/dp/B0ZZ1Y2X3W"],
    [`url=%2F%E6%9C%AC${PRODUCT}%3Fkeywords%3Da%2520b`, "/%E6%9C%AC/dp/B0ZZ1Y2X3W?keywords=a%20b"],
    [`url=${PRODUCT}&tag=me-20`, "/dp/B0ZZ1Y2X3W?tag=me-20"],
    [`url=${PRODUCT}%3Ftag%3Dme-20&tag=me-20`, "/dp/B0ZZ1Y2X3W?tag=me-20"],
    [
      `tag=me-20&linkCode=ll1&ascsubtag=a%26b&url=${PRODUCT}%3Fth%3D1&x=2`,
      "/dp/B0ZZ1Y2X3W?th=1&tag=me-20&linkCode=ll1&ascsubtag=a%26b",
    ],
  ])("a sponsored link with %s leads to %s", (query, target) => {
    for (const click of [CLICK, CLICK.replace("/sspa/click", "/-/es/SSPA/click/ref=x")])
      expect(parseAmazonUrl(click + query)).toMatchObject({ kind: "product", webUrl: STORE + target });
  });

  it.each([
    "",
    "url=",
    "url=dp%2FB0ZZ1Y2X3W",
    "url=https%3A%2F%2Fwww.amazon.com%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2F%2Fevil.example%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2F%09%2Fevil.example%2Fdp%2FB0ZZ1Y2X3W",
    "url=%252Fdp%252FB0ZZ1Y2X3W",
    "url=%2Fs%3Fk%3Dlamp",
    "url=%2Fstores%2Fpage%2FB0ZZ1Y2X3W",
    "url=%2Fap%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2Fsspa%2Fclick%3Furl%3D%2Fdp%2FB0ZZ1Y2X3W",
    `url=${PRODUCT}&URL=%2Fdp%2FB0ZZ1Y2X3V`,
    `url=${PRODUCT}&url=${PRODUCT}`,
    `url=${PRODUCT}%3Ftag%3Done-20&tag=two-20`,
    `url=${PRODUCT}&tag=one-20&tag=two-20`,
    "url=%2Fexec%2Fobidos%2FASIN%2F080442957X%2Fone-20&tag=two-20",
  ])("refuses a sponsored link with %s: the product is not certain", (query) => {
    expect(parseAmazonUrl(CLICK + query)).toMatchObject(REFUSED);
  });

  it("refuses sponsored links below a path that is not the click counter's", () => {
    for (const path of ["/sspa/click/x", "/sspa/other"])
      expect(parseAmazonUrl(`${STORE}${path}?url=/dp/B0ZZ1Y2X3W`)).toMatchObject(REFUSED);
  });

  it("sponsored links keep product, tag and store beside any other parameters", () => {
    const word = fc.stringMatching(/^[\w~ é&=?#/%+-]{0,20}$/);
    fc.assert(
      fc.property(
        asin,
        fc.constantFrom("www.amazon.de", "amazon.co.uk", "m.amazon.in"),
        fc.stringMatching(/^[A-Za-z0-9_-]{1,30}$/),
        word,
        word,
        (id, host, tag, slug, noise) => {
          const target = `/${encodeURIComponent(`x${slug}`)}/dp/${id}?x=${encodeURIComponent(noise)}`;
          const url = `https://${host}/sspa/click?spc=${encodeURIComponent(noise)}&url=${encodeURIComponent(target)}&tag=${tag}`;
          const page = parseAmazonUrl(url);
          if (!isStorePage(page)) throw new Error(`${url} is refused`);
          expect(page).toMatchObject({ kind: "product", asin: id, tag });
          expect(page.webUrl).toBe(`https://${host}${target}&tag=${tag}`);
          expect(parseAmazonUrl(page.webUrl)).toEqual(page);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("sponsored links never lead to another host, nor to a page that is not a product", () => {
    const parts = fc.constantFrom(
      "/",
      "//",
      "\\",
      "..",
      "%2F",
      "%5C",
      "@",
      ":",
      "?",
      "#",
      "&",
      "=",
      "tag=a-20",
      "evil.example",
      "https://",
      "dp",
      "B0ZZ1Y2X3W",
      "/dp/B0ZZ1Y2X3W",
      "ap",
      "sspa/click",
    );
    const target = fc.array(parts, { maxLength: 8 }).map((all) => all.join(""));
    fc.assert(
      fc.property(target, fc.boolean(), (text, isEncoded) => {
        const page = parseAmazonUrl(`${CLICK}url=${isEncoded ? encodeURIComponent(text) : text}`);
        expect(["product", "refused"]).toContain(page.kind);
        if (!isStorePage(page)) return;
        expect(page.webUrl).toMatch(/^https:\/\/www\.amazon\.com\/(?!\/*sspa)/);
      }),
      { numRuns: 5_000 },
    );
  });
});
