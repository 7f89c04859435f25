import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redirectTarget } from "../app-opening/redirect-target.ts";
import { storeAddress } from "../testing/arbitrary-urls.ts";
import { parseAmazonUrl, parseStorePage } from "./amazon-url.ts";
import { findAmazonUrl } from "./find-amazon-url.ts";

const REFUSED = { kind: "refused", code: "unusable-link" };

const REFUSED_ADDRESSES = [
  "/gp/redirect.html?location=https%3A%2F%2Fevil.example",
  "/gp/redirect.html/ref=x?location=https%3A%2F%2Fevil.example&tag=me-20",
  "/gp/redirect.html%3FASIN=0545010225%26location=/dp/0545010225",
  "/gp/r.html?C=1&U=https%3A%2F%2Fevil.example&H=2",
  "/gp/f.html?U=https%3A%2F%2Fevil.example",
  "/gp/slredirect/picassoRedirect.html/ref=x?url=%2Fdp%2FB0ZZ1Y2X3W",
  "/gp/aw/redirect.html?url=x",
  "/gp/aw/x/redirector?url=x",
  "/gp/aw/rd.html?a=4320016602&at=me-22&url=%2Fgp%2Faw%2Fd.html",
  "/gp/flex/sign-out.html?path=%2F",
  "/gp/flex/sign-out.html/ref=nav_youraccount_signout",
  "/gp/sign-in.html",
  "/gp/navigation/redirector.html/ref=sign-in-redirect?currentPageURL=x",
  "/exec/obidos/redirect?path=ASIN/0201410338&tag=me-20",
  "/exec/obidos/redirect-home/me-20",
  "/o/redirect?tag=me-20&path=x",
  "/ap",
  "/ap/signin?openid.return_to=https%3A%2F%2Fevil.example",
  "/ap/oa?redirect_uri=https%3A%2F%2Fevil.example",
  "/ap/signin/dp/B0ZZ1Y2X3W",
  "/ax/claim?openid.return_to=x",
  "/sspa/click",
  "/sspa/tracker?url=%2Fdp%2FB0ZZ1Y2X3W",
];

describe("redirectors and account pages", () => {
  it.each(REFUSED_ADDRESSES)("refuses %s", (path) => {
    expect(parseAmazonUrl(`https://www.amazon.com${path}`)).toEqual(REFUSED);
  });

  it.each([
    "/AP/SignIn",
    "//ap//signin",
    "/./ap/signin",
    "/x/../ap/signin",
    "/x/%2e%2e/ap/signin",
    "/x/%252e%252e/ap/signin",
    "/x%2f..%2fap/signin",
    "/%61p/signin",
    "/%2561%2570/signin",
    "/%25%36%31p/signin",
    "/ap%2Fsignin",
    "/ap%5Csignin",
    "/ap;x=1/signin",
    "/ap%3Bx/signin",
    "/-/en/ap/signin",
    "/-/es_US/AP/signin",
    "/-/en-GB/ap/signin",
    "/-/en/-/de/ap/signin",
    "/-/ap/signin",
    "/-/-/ap/signin",
    "/-/ap",
    "/%2D/en/ap/signin",
    "/ap/..%2fdp/B0ZZ1Y2X3W",
    "/ap/../dp/B0ZZ1Y2X3W",
    "/ap/..;/dp/B0ZZ1Y2X3W",
    "/x/..;a=b/ap/signin",
    "/ap./signin",
    "/ap%2E../signin",
    "/-./en/ap/signin",
    "/ap%20/signin",
    "/%20ap/signin",
    "/a%09p/signin",
    "/ap%0D%0A/signin",
    "/ap%00/signin",
    "/ap%00.png/signin",
    "/ap%2500/signin",
    "/%25252561p/signin",
    "/%2525252561p/signin",
  ])("refuses %s, which a server may read as /ap/", (path) => {
    expect(parseAmazonUrl(`https://www.amazon.com${path}`)).toEqual(REFUSED);
  });

  it.each([
    "/apparel",
    "/gp/redesign",
    "/gp/r.htmlx",
    "/gp/aw/d/B0ZZ1Y2X3W/redirect-lamp",
    "/Lamp/ap/signin",
    "/dp/B0ZZ1Y2X3W/ap/signin",
    "/shop/ap/signin",
    "/stores/gp/redirect.html",
    "/s?k=/ap/signin",
    "/-/en/dp/B0ZZ1Y2X3W",
    "/-/en",
    "/-",
    "/dp/B0ZZ1Y2X3W/../B0ZZ1Y2X3V",
    "/100%2525-Lamp/dp/B0ZZ1Y2X3W",
    "/ax/other",
    "/sspa-lamp/dp/B0ZZ1Y2X3W",
  ])("accepts %s, which only resembles one", (path) => {
    expect(parseStorePage(`https://www.amazon.com${path}`)).not.toBeNull();
  });

  it("are refused on every store, in any spelling of the path and with anything after it", () => {
    const spelledPath = fc
      .tuple(
        fc.constantFrom("", "/-/en", "/-/pt_BR", "/-/zh/-/en", "//", "/x/..", "/x/..;y", "/%20"),
        fc.constantFrom(
          ...REFUSED_ADDRESSES.map((path) => path.split("?")[0] ?? "").filter((path) => !path.includes("%")),
        ),
        fc.infiniteStream(fc.constantFrom("as is", "upper case", "encoded", "doubled")),
        fc.constantFrom(
          ...["", "/", "/ref=x", "/dp/B0ZZ1Y2X3W", ";x=1", "%2Fx"],
          ...[".", "%2e", "%00", "%2520", "/..;/..;/dp/B0ZZ1Y2X3W", "/../../dp/B0ZZ1Y2X3W"],
        ),
      )
      .map(([prefix, path, changes, end]) => {
        const spelled = Array.from(path, (character) => spell(character, changes.next().value ?? "as is"));
        return prefix + spelled.join("") + end;
      });
    fc.assert(
      fc.property(storeAddress, spelledPath, ({ host, query }, path) => {
        expect(parseAmazonUrl(`https://${host}${path}${query}`.trimEnd())).toEqual(REFUSED);
      }),
      { numRuns: 2_000 },
    );
  });

  it("are not opened by /redirect", () => {
    const original_url = "https://www.amazon.com/gp/redirect.html?location=x";
    expect(redirectTarget(new URLSearchParams({ product_id: "gp", original_url }))).toBeNull();
  });

  it("are found in text, so that the form can say why they are refused", () => {
    const url = "https://www.amazon.com/ap/signin";
    expect(findAmazonUrl(`Log in: ${url}.`)).toBe(url);
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
