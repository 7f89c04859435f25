import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asin } from "../testing/arbitrary-urls.ts";
import { isStorePage, parseAmazonUrl } from "./amazon-url.ts";

const REFUSED = { kind: "refused", code: "unusable-link" };
const CLICK = "https://www.amazon.com/sspa/click?ie=UTF8&spc=MTo1OTE&";

describe("sponsored links", () => {
  it.each([
    [
      "url=%2FCooler-Master%2Fdp%2FB0ZZ1Y2X3W%2Fref%3Dsr_1_1_sspa%3Fkeywords%3Da%2520b%26psc%3D1",
      "/Cooler-Master/dp/B0ZZ1Y2X3W/ref=sr_1_1_sspa?keywords=a%20b&psc=1",
    ],
    ["url=/dp/B0ZZ1Y2X3W", "/dp/B0ZZ1Y2X3W"],
    ["URL=%2Fgp%2Fproduct%2FB0ZZ1Y2X3W", "/gp/product/B0ZZ1Y2X3W"],
    ["url=%2F-%2Fen%2Fdp%2FB0ZZ1Y2X3W", "/-/en/dp/B0ZZ1Y2X3W"],
    ["url=%2Fdp%2FB0ZZ1Y2X3W%23reviews", "/dp/B0ZZ1Y2X3W"],
    ["url=%2F%E6%9C%AC%2Fdp%2FB0ZZ1Y2X3W", "/%E6%9C%AC/dp/B0ZZ1Y2X3W"],
    ["url=%2Fdp%2FB0ZZ1Y2X3W&tag=me-20", "/dp/B0ZZ1Y2X3W?tag=me-20"],
    ["url=%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Dme-20", "/dp/B0ZZ1Y2X3W?tag=me-20"],
    ["url=%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Dme-20&tag=me-20", "/dp/B0ZZ1Y2X3W?tag=me-20"],
    [
      "tag=me-20&linkCode=ll1&ascsubtag=a%26b&url=%2Fdp%2FB0ZZ1Y2X3W%3Fth%3D1&x=2",
      "/dp/B0ZZ1Y2X3W?th=1&tag=me-20&linkCode=ll1&ascsubtag=a%26b",
    ],
  ])("with %s lead to %s", (query, target) => {
    expect(parseAmazonUrl(CLICK + query)).toMatchObject({
      kind: "product",
      asin: "B0ZZ1Y2X3W",
      webUrl: `https://www.amazon.com${target}`,
      canonicalUrl: "https://www.amazon.com/dp/B0ZZ1Y2X3W",
    });
  });

  it.each([
    "https://www.amazon.com/-/es/sspa/click?url=%2Fdp%2FB0ZZ1Y2X3W",
    "https://www.amazon.com/SSPA/click/ref=x?url=%2Fdp%2FB0ZZ1Y2X3W",
  ])("such as %s lead to their product", (url) => {
    expect(parseAmazonUrl(url)).toMatchObject({
      webUrl: "https://www.amazon.com/dp/B0ZZ1Y2X3W",
    });
  });

  it.each([
    "",
    "url=",
    "url=dp%2FB0ZZ1Y2X3W",
    "url=https%3A%2F%2Fwww.amazon.com%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2F%2Fevil.example%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2F%5Cevil.example%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2F%09%2Fevil.example%2Fdp%2FB0ZZ1Y2X3W",
    "url=%5C%5Cevil.example%2Fdp%2FB0ZZ1Y2X3W",
    "url=%252Fdp%252FB0ZZ1Y2X3W",
    "url=%2Fs%3Fk%3Dlamp",
    "url=%2Fstores%2Fpage%2FB0ZZ1Y2X3W",
    "url=%2Fgp%2Fredirect.html%3Flocation%3D%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2Fap%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2Fsspa%2Fclick%3Furl%3D%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2Fdp%2FB0ZZ1Y2X3W&url=%2Fdp%2FB0ZZ1Y2X3V",
    "url=%2Fdp%2FB0ZZ1Y2X3W&URL=%2Fdp%2FB0ZZ1Y2X3W",
    "url=%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Done-20&tag=two-20",
    "url=%2Fdp%2FB0ZZ1Y2X3W&tag=one-20&tag=two-20",
    "url=%2Fexec%2Fobidos%2FASIN%2F080442957X%2Fone-20&tag=two-20",
  ])("with %s are refused: the product is not certain", (query) => {
    expect(parseAmazonUrl(CLICK + query)).toEqual(REFUSED);
  });

  it("are refused below a path that is not the click counter's", () => {
    expect(parseAmazonUrl("https://www.amazon.com/sspa/click/x?url=/dp/B0ZZ1Y2X3W")).toEqual(REFUSED);
  });

  it("keep product, tag and store beside any other parameters", () => {
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

  it("never lead to another host, nor to a page that is not a product", () => {
    const target = fc
      .array(
        fc.constantFrom(
          ...["/", "//", "\\", "..", "%2F", "%5C", "@", ":", "?", "#", "&", "=", "tag=a-20"],
          ...["evil.example", "https://", "dp", "B0ZZ1Y2X3W", "/dp/B0ZZ1Y2X3W", "ap", "sspa/click"],
        ),
        { maxLength: 8 },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(target, fc.boolean(), (text, isEncoded) => {
        const page = parseAmazonUrl(`${CLICK}url=${isEncoded ? encodeURIComponent(text) : text}`);
        if (!isStorePage(page)) {
          expect(page.kind).toBe("refused");
        } else {
          expect(page.kind).toBe("product");
          expect(new URL(page.webUrl).hostname).toBe("www.amazon.com");
          expect(new URL(page.webUrl).pathname).not.toMatch(/^\/+sspa/);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
