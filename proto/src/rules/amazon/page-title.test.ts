import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storeAddress } from "../testing/arbitrary-urls.ts";
import { parseStorePage } from "./amazon-url.ts";
import { pageTitle } from "./page-title.ts";

function titleOf(address: string): string | null {
  const page = parseStorePage(address);
  if (page === null) throw new Error(`Not a store page: ${address}`);
  return pageTitle(page);
}

describe("the title of a page", () => {
  it.each([
    ["/", "Amazon start page"],
    ["/-/en/ref=nav_logo?tag=me-21", "Amazon start page"],
    ["/s?k=desk+lamp&tag=me-21", "Search: desk lamp"],
    ["/s/ref=nb_sb_noss?url=search-alias%3Daps&field-keywords=lamp", "Search: lamp"],
    ["/gp/search?keywords=l%C3%A1mpara", "Search: lámpara"],
    ["/s?rh=n%3A3167641", "Amazon search"],
    ["/gp/cart/view.html", "Amazon cart"],
    ["/gp/bestsellers/lighting", "Amazon bestsellers"],
    ["/gp/goldbox", "Amazon deals"],
    ["/hz/wishlist/ls/ABC", "Amazon wish list"],
    ["/b?node=3167641", null],
    ["/dp/B0ZZ1Y2X3W?k=lamp", null],
    ["/shop/jane", null],
  ])("%s is %s", (path, title) => {
    expect(titleOf(`https://www.amazon.de${path}`)).toBe(title);
  });

  it("is one line of at most 200 characters without controls, whatever was searched for", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (words) => {
        const title = titleOf(`https://www.amazon.de/s?${new URLSearchParams({ k: words })}`) ?? "";
        expect(title).toMatch(/^(?:Search: [^\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+|Amazon search)$/u);
        expect(Array.from(title).length).toBeLessThanOrEqual(200);
      }),
    );
  });

  it("finds a title for any page of any store, without an error", () => {
    fc.assert(
      fc.property(storeAddress, ({ url }) => {
        expect(titleOf(url)).not.toBe("");
      }),
    );
  });
});
