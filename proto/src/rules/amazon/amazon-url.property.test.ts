import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { androidIntent, iosAppLink } from "../app-opening/app-link.ts";
import { buildDeepLink } from "../app-opening/redirect-target.ts";
import { linkErrorMessage } from "../link-errors.ts";
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

  it("keeps the bytes of path and query in webUrl", () => {
    eachAddress(({ path, query, host }, { webUrl }) => {
      const keptHost = host.endsWith("amazon.jp") ? "www.amazon.co.jp" : host;
      expect(webUrl).toBe(`https://${keptHost}${encoded(path + query)}`);
    });
  });

  it("carries the identical query in app link, intent and fallback", () => {
    eachAddress(({ query }, { webUrl, marketplace }) => {
      const intent = readIntent(androidIntent(webUrl, marketplace));
      const rest = webUrl.slice("https://".length);
      expect(iosAppLink(webUrl)).toBe(`com.amazon.mobile.shopping.web://${rest}`);
      expect(intent.address).toBe(rest);
      expect(intent.fallback).toBe(webUrl);
      for (const link of [webUrl, iosAppLink(webUrl), intent.address, intent.fallback]) {
        expect(link.endsWith(encoded(query))).toBe(true);
      }
    });
  });

  it("cannot add to or end the intent's own fields", () => {
    eachAddress((_, { webUrl, marketplace }) => {
      const { fields } = readIntent(androidIntent(webUrl, marketplace));
      expect(fields.map((field) => field.split("=")[0])).toEqual([
        "Intent",
        "scheme",
        "package",
        "S.browser_fallback_url",
        "end",
      ]);
    });
  });

  it("has a webUrl that leads a browser to the same store", () => {
    eachAddress((_, { webUrl, marketplace }) => {
      const { protocol, hostname, port, username } = new URL(webUrl);
      expect({ protocol, port, username }).toEqual({ protocol: "https:", port: "", username: "" });
      expect(findStore(hostname)?.marketplace).toBe(marketplace);
      const inIntent = readIntent(androidIntent(webUrl, marketplace)).address;
      expect(new URL(`https://${inIntent}`).hostname).toBe(hostname);
    });
  });

  it("is parsed from its webUrl as the same page", () => {
    eachAddress((_, page) => {
      expect(parseAmazonUrl(page.webUrl)).toEqual(page);
    });
  });

  it("has the same destination without the facts about the page", () => {
    eachAddress(({ url }, { marketplace, webUrl }) => {
      expect(storeDestination(url)).toEqual({ marketplace, webUrl });
    });
  });

  it("has a product id within the pattern", () => {
    eachAddress((_, { productId }) => {
      expect(productId).toMatch(PRODUCT_ID_PATTERN);
    });
  });

  it("is recovered unchanged from its deep link", () => {
    eachAddress(({ url }, { productId }) => {
      const { searchParams } = new URL(buildDeepLink("https://t.example", productId, url));
      expect(searchParams.get("product_id")).toBe(productId);
      expect(searchParams.get("original_url")).toBe(url);
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
  it("never makes the parser throw or return another host", () => {
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
          expect(linkErrorMessage(parsed)).not.toBe("");
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it("has a destination only if it is a store page", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const page = parseStorePage(text);
        const destination = page && { marketplace: page.marketplace, webUrl: page.webUrl };
        expect(storeDestination(text)).toEqual(destination);
      }),
      { numRuns: 10_000 },
    );
  });

  it("never makes findAmazonUrl throw or return an address that is not Amazon's", () => {
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
