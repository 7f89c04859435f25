import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { androidIntent, iosAppLink } from "../app-opening/app-link.ts";
import { buildDeepLink } from "../app-opening/redirect-target.ts";
import { asin, hostileText, type StoreAddress, storeAddress } from "../testing/arbitrary-urls.ts";
import { isStorePage, parseAmazonUrl, parseStorePage, type StorePage, storeDestination } from "./amazon-url.ts";
import { findAmazonUrl } from "./find-amazon-url.ts";
import { findShortHost, findStore } from "./hosts.ts";
import { PRODUCT_ID_PATTERN } from "./product-id.ts";

const RUNS = { numRuns: 2_000 };

function storePageOf(url: string): StorePage {
  const page = parseStorePage(url);
  if (page === null) throw new Error(`Not a store page: ${url}`);
  return page;
}

function encoded(bytes: string): string {
  return bytes.replace(/[^\0-\x7f]+/g, encodeURIComponent);
}

function readIntent(intent: string) {
  const end = intent.lastIndexOf("#Intent;");
  const fields = intent.slice(end + 1).split(";");
  const fallback = fields.find((field) => field.startsWith("S.browser_fallback_url="));
  return {
    address: intent.slice("intent://".length, end),
    fields,
    fallback: decodeURIComponent(fallback?.slice("S.browser_fallback_url=".length) ?? ""),
  };
}

describe("any page of any store", () => {
  const eachAddress = (check: (address: StoreAddress, page: StorePage) => void) =>
    fc.assert(
      fc.property(storeAddress, (address) => check(address, storePageOf(address.url))),
      RUNS,
    );

  it("keeps the bytes of path and query in webUrl, which leads a browser to the same store", () => {
    eachAddress(({ url, path, query, host }, page) => {
      const { webUrl, marketplace, productId } = page;
      const keptHost = host.endsWith("amazon.jp") ? "www.amazon.co.jp" : host;
      expect(webUrl).toBe(`https://${keptHost}${encoded(path + query)}`);
      expect(findStore(new URL(webUrl).hostname)?.marketplace).toBe(marketplace);
      expect(parseAmazonUrl(webUrl)).toEqual(page);
      expect(storeDestination(url)).toEqual({ marketplace, webUrl });
      expect(productId).toMatch(PRODUCT_ID_PATTERN);
    });
  });

  it("carries the identical address in app link, intent, fallback and deep link", () => {
    eachAddress(({ url }, { webUrl, marketplace, productId }) => {
      const { address, fields, fallback } = readIntent(androidIntent(webUrl, marketplace));
      const rest = webUrl.slice("https://".length);
      expect(iosAppLink(webUrl)).toBe(`com.amazon.mobile.shopping.web://${rest}`);
      expect([address, fallback]).toEqual([rest, webUrl]);
      // The address cannot add to or end the intent's own fields.
      const names = fields.map((field) => field.split("=")[0]);
      expect(names).toEqual(["Intent", "scheme", "package", "S.browser_fallback_url", "end"]);
      const { searchParams } = new URL(buildDeepLink("https://t.example", productId, url));
      expect(Object.fromEntries(searchParams)).toEqual({ product_id: productId, original_url: url });
    });
  });
});

it("finds the product with any slug, ref and query around its ASIN", () => {
  fc.assert(
    fc.property(asin, fc.stringMatching(/^[a-z0-9-]{0,20}$/), (id, words) => {
      const url = `https://www.amazon.com/x${words}-y/dp/${id}/ref=${words}?th=1`;
      expect(parseAmazonUrl(url)).toMatchObject({ kind: "product", asin: id, productId: id });
    }),
  );
});

describe("any text", () => {
  it("no text makes the parser throw or return another host", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const parsed = parseAmazonUrl(text);
        if (isStorePage(parsed)) {
          expect(findStore(new URL(parsed.webUrl).hostname)).not.toBeNull();
          expect(parsed.webUrl).toMatch(/^https:\/\/[!-~]+$/);
          expect(parsed.productId).toMatch(PRODUCT_ID_PATTERN);
        } else if (parsed.kind === "short") {
          expect(findShortHost(new URL(parsed.url).hostname)).toBe(parsed.host);
        } else {
          expect(parsed.message).not.toBe("");
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it("any text has a destination only if it is a store page", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const page = parseStorePage(text);
        const destination = page && { marketplace: page.marketplace, webUrl: page.webUrl };
        expect(storeDestination(text)).toEqual(destination);
      }),
      { numRuns: 10_000 },
    );
  });

  it("no text makes findAmazonUrl throw or return an address that is not Amazon's", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const url = findAmazonUrl(text);
        if (url === null) return;
        expect(url).toMatch(/^https?:\/\/\S+$/i);
        const parsed = parseAmazonUrl(url);
        if (parsed.kind === "refused") expect(parsed.code).not.toBe("not-an-amazon-link");
      }),
      { numRuns: 10_000 },
    );
  });
});

it("never finds an Amazon link inside another site's address", () => {
  const outside = fc.constantFrom(
    "https://evil.example/",
    "https://evil.example/?u=",
    "https://evil.example/#",
    "https://amazon.com.evil.example/",
    "https://user@evil.example/",
    "evil.example/",
    "evil.example/?u=",
    "ftp://evil.example/",
    "//evil.example/",
  );
  fc.assert(
    fc.property(outside, storeAddress, fc.boolean(), (start, { url }, isBare) => {
      const inside = isBare ? url.replace(/^https?:\/\//i, "") : url;
      expect(findAmazonUrl((start + inside).replace(/\s/g, ""))).toBeNull();
    }),
    RUNS,
  );
});
