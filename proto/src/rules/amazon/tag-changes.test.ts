import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storeAddress } from "../testing/arbitrary-urls.ts";
import { addTag, TAG_PATTERN } from "./add-tag.ts";
import { parseStorePage } from "./amazon-url.ts";
import { readableAddress } from "./readable-address.ts";
import { removeTag } from "./remove-tag.ts";
import { setTag } from "./set-tag.ts";
import { tagHealth, tagsOf } from "./tag-health.ts";

const DP = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const OLD = "https://www.amazon.de/exec/obidos/ASIN/B0ZZ1Y2X3W/old-21";
const SPONSORED = `https://www.amazon.de/sspa/click?url=${encodeURIComponent("/dp/B0ZZ1Y2X3W?th=1")}`;
const NOT_PAGES = ["https://amzn.to/3abc", "https://example.com/dp/B0ZZ1Y2X3W", "", `${DP}?x=${"x".repeat(4_054)}`];

const CART = "https://www.amazon.de/gp/aws/cart/add.html?AssociateTag=old-21&ASIN.1=B0ZZ1Y2X3W&Quantity.1=1";
const ATTRIBUTION = [`${DP}?maas=m&ref_=aa_maas`, `${DP}?aa_campaignid=1`, `${DP}&maas=m`, `${DP}?tag=maas`];

describe("addTag", () => {
  it.each([
    [`${DP}?`, `${DP}?tag=me-21`],
    [`${DP}?th=1&`, `${DP}?th=1&tag=me-21`],
    [`${DP}?t%61g=&tag&th=1`, `${DP}?tag=me-21&th=1`],
    [`${DP}?x=%c3%89t%C3%A9+a%20b&y&k='é'`, `${DP}?x=%c3%89t%C3%A9+a%20b&y&k='é'&tag=me-21`],
    [` http://AMAZON.de/s?k=lamp#a?tag=x `, "http://AMAZON.de/s?k=lamp&tag=me-21#a?tag=x"],
    [SPONSORED, `${DP}?th=1&tag=me-21`],
  ])("adds the tag to %s and nothing else", (url, tagged) => {
    expect(addTag(url, "me-21")).toBe(tagged);
  });

  it.each([...NOT_PAGES, OLD, ...ATTRIBUTION, CART, `${DP}?AssociateTag=old-21`])("returns null for %s", (url) => {
    expect(addTag(url, "me-21")).toBeNull();
  });
});

describe("addTag, for any page of any store and any tag", () => {
  const eachAddress = (check: (url: string, tag: string, tagged: string | null) => void) =>
    fc.assert(
      fc.property(
        storeAddress,
        fc.stringMatching(TAG_PATTERN),
        fc.constantFrom("", "#reviews"),
        ({ url }, tag, fragment) => check(url + fragment, tag, addTag(url + fragment, tag)),
      ),
      { numRuns: 5_000 },
    );

  it("adds it exactly if the page has none", () => {
    eachAddress((url, _tag, tagged) => {
      const page = parseStorePage(url);
      expect(tagged !== null).toBe(page !== null && tagHealth(page).kind === "none");
    });
  });

  it("makes it the only tag of the same page, and does not add it twice", () => {
    eachAddress((url, tag, tagged) => {
      if (tagged === null) return;
      const { webUrl: _before, tag: _noTag, ...before } = parseStorePage(readableAddress(url) ?? url) ?? {};
      const { webUrl = "", tag: _tag, ...after } = parseStorePage(tagged) ?? {};
      expect(after).toEqual(before);
      expect(new URL(webUrl).searchParams.getAll("tag").filter(Boolean)).toEqual([tag]);
      expect(addTag(tagged, tag)).toBeNull();
    });
  });

  it("keeps every other byte", () => {
    eachAddress((url, tag, tagged) => {
      // Empty parameters and empty tags make room for it.
      const isRoomy = /[?&](?:&|#|$|tag\b)/i.test(url);
      if (tagged === null || readableAddress(url) !== null || isRoomy) return;
      const at = [`?tag=${tag}`, `&tag=${tag}`, `tag=${tag}`, `=${tag}`, tag];
      const removals = at.flatMap((text) =>
        Array.from({ length: tagged.length }, (_, i) => i)
          .filter((i) => tagged.startsWith(text, i))
          .map((i) => tagged.slice(0, i) + tagged.slice(i + text.length)),
      );
      expect(removals).toContain(url);
    });
  });
});

describe("setTag", () => {
  it.each([
    [`${DP}?`, `${DP}?tag=new-21`],
    [`${DP}?th=1#reviews`, `${DP}?th=1&tag=new-21#reviews`],
    [`${DP}?a=1&%74ag=old-21&tag=two-21&b=2`, `${DP}?a=1&tag=new-21&b=2`],
    [`${DP}?tag=`, `${DP}?tag=new-21`],
    [`${DP}?ascsubtag=old-21`, `${DP}?ascsubtag=old-21&tag=new-21`],
    [OLD, `${DP}?tag=new-21`],
    [`${SPONSORED}&tag=old-21`, `${DP}?th=1&tag=new-21`],
    [CART, CART.replace("old-21", "new-21")],
    [`${DP}?AssociateTag=old-21`, `${DP}?tag=new-21`],
    [`${DP}?maas=m&tag=old-21`, `${DP}?maas=m&tag=new-21`],
  ])("%s becomes %s", (url, expected) => {
    expect(setTag(url, "new-21")).toBe(expected);
  });

  it.each([...NOT_PAGES, ...ATTRIBUTION, `${DP}&maas=m?tag=old-21`])("does not change %s", (url) => {
    expect(setTag(url, "new-21")).toBeNull();
  });

  it("gives any page exactly this tag, without a change of the page", () => {
    fc.assert(
      fc.property(storeAddress, fc.stringMatching(TAG_PATTERN), ({ url }, tag) => {
        const [page, tagged] = [parseStorePage(readableAddress(url) ?? url), parseStorePage(setTag(url, tag) ?? "")];
        expect(tagged && tagsOf(tagged)).toEqual([tag]);
        expect(tagged?.productId).toBe(page?.productId);
      }),
    );
  });
});

it.each([
  [`${DP}?th=1&tag=me-21&psc=1`, `${DP}?th=1&psc=1`],
  [`${DP}?linkCode=ll1&tag=me-21&linkId=abc&ascsubtag=x`, DP],
  [`${DP}?%74ag=me-21&TAG=you-21&AssociateTag=me-21`, DP],
  [`${DP}%3FSubscriptionId%3DAKEXAMPLE%26tag%3Dme-21%26linkCode%3Dxm2`, DP],
  [`${DP}?th=1&url=%2Fdp%2FB0ZZ1Y2X3V%3Ftag%3Dme-21`, `${DP}?th=1`],
  [`${DP}?th=1;tag=me-21`, `${DP}?th=1`],
  [`${DP}?maas=maas_adg_1&aa_campaignid=2&ref_=aa_maas&tag=maas`, DP],
  ["https://www.amazon.de/s?k=a%20b'c&tag=me-21", "https://www.amazon.de/s?k=a%20b'c"],
  [OLD, DP],
  [DP, DP],
  [CART, DP],
  [
    "https://www.amazon.com/-/es/gp/aws/cart/add.html?asin%2E1=080442957x&tag=a-20",
    "https://www.amazon.com/dp/080442957X",
  ],
  [
    "https://www.amazon.fr/gp/cart/aws-merge.html?cart-id=1&ASIN.2=B0ZZ1Y2X3V&ASIN.1=B0ZZ1Y2X3W",
    "https://www.amazon.fr/dp/B0ZZ1Y2X3V",
  ],
  [
    "https://www.amazon.de/gp/aws/cart/add.html?OfferListingId.1=abc%2Bdef&Quantity.1=1&tag=a-21",
    "https://www.amazon.de/",
  ],
  ["https://www.amazon.de/gp/cart/view.html?tag=a-21", "https://www.amazon.de/gp/cart/view.html"],
])("%s opens without a tag", (tagged, plain) => expect(removeTag(tagged)).toBe(plain));
