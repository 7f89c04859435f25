import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asin, storeAddress } from "../testing/arbitrary-urls.ts";
import { addTag } from "./add-tag.ts";
import { parseStorePage } from "./amazon-url.ts";
import { readableAddress } from "./readable-address.ts";
import { removeTag } from "./remove-tag.ts";
import { repairAmazonUrl } from "./repair-url.ts";
import { setTag } from "./set-tag.ts";
import { tagHealth, tagsOf } from "./tag-health.ts";

const DP = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const SEARCH = "https://www.amazon.de/s";

it.each([
  [`${DP}&tag=anna-21`, `${DP}?tag=anna-21`],
  [`${DP}/&tag=anna-21`, `${DP}/?tag=anna-21`],
  [`${DP}/ref=nosim&tag=anna-21`, `${DP}/ref=nosim?tag=anna-21`],
  [`${DP}/ref=nosim/anna-21?th=1`, `${DP}/ref=nosim?th=1&tag=anna-21`],
  [`${DP}/anna.shop-21/`, `${DP}/?tag=anna.shop-21`],
  [`${DP}/tag=anna-21`, `${DP}?tag=anna-21`],
  [`${DP};tag=anna-21`, `${DP}?tag=anna-21`],
  [`${DP}&th=1&psc=1`, `${DP}?th=1&psc=1`],
  [`${DP}&tag=anna-21/ref=nosim#top`, `${DP}?tag=anna-21#top`],
  [`${DP}&tag=anna-21?th=1`, `${DP}?th=1&tag=anna-21`],
  [`${DP}?th=1?tag=anna-21`, `${DP}?th=1&tag=anna-21`],
  [`${DP}?th=1??tag=anna-21&psc=1`, `${DP}?th=1?&tag=anna-21&psc=1`],
  [
    "https://www.amazon.de/Fußmatte-weiß/dp/B0ZZ1Y2X3W/anna-21",
    "https://www.amazon.de/Fußmatte-weiß/dp/B0ZZ1Y2X3W?tag=anna-21",
  ],
  [`${DP}?th=1/?tag=anna-21`, `${DP}?th=1&tag=anna-21`],
  [`${DP}/?ref=abc/?tag=anna-21`, `${DP}/?ref=abc&tag=anna-21`],
  [`${DP}?th=1;tag=anna-21`, `${DP}?th=1&tag=anna-21`],
  [`${DP}?tag%3Danna-21`, `${DP}?tag=anna-21`],
  [`${DP}?th=1%26tag%3Danna-21%26psc%3D1`, `${DP}?th=1&tag=anna-21&psc=1`],
  [`${DP}%3Ftag%3Danna-21`, `${DP}?tag=anna-21`],
  [`${DP}%253Flinkcode%253Dll1%2526tag%253Danna-21`, `${DP}?linkcode=ll1&tag=anna-21`],
  [`${DP}?th=1#tag=anna-21`, `${DP}?th=1&tag=anna-21`],
  [`${DP}#customerReviews?tag=anna-21`, `${DP}?tag=anna-21#customerReviews`],
  [`${SEARCH}&k=salt-&-pepper&tag=anna-21`, `${SEARCH}?k=salt-&-pepper&tag=anna-21`],
  [`${SEARCH}?k=lamp?tag=anna-21`, `${SEARCH}?k=lamp&tag=anna-21`],
  ["https://www.amazon.de/shop/anna/tag=anna-21", "https://www.amazon.de/shop/anna?tag=anna-21"],
  [
    "https://www.amazon.de/Becher/dp/B0ZZ1Y2X3W%3FSubscriptionId%3DAKEXAMPLE%26tag%3Danna-21%26linkCode%3Dxm2",
    "https://www.amazon.de/Becher/dp/B0ZZ1Y2X3W?SubscriptionId=AKEXAMPLE&tag=anna-21&linkCode=xm2",
  ],
])("%s is meant as %s", (url, readable) => {
  expect(readableAddress(url)).toBe(readable);
});

it.each([
  DP,
  `${DP}?tag=anna-21#top`,
  `${DP}/ref=sr_1_21?keywords=a%26b&tag=anna-21`,
  `${DP}/102-1234567-1234567`,
  "https://www.amazon.de/exec/obidos/ASIN/B0ZZ1Y2X3W/ref=nosim/anna-21",
  "https://www.amazon.de/Salt-&-Pepper=2/dp/B0ZZ1Y2X3W?th=1",
  `${SEARCH}?k=html%3Btag%3Dhead`,
  `${SEARCH}?k=a;tag=b`,
  `${DP}/Schwarz-XL-24`,
  `${SEARCH}?k=what%3F&rh=p_4%3AFoo%26Bar`,
  `${SEARCH}?k=lamp&url=%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Dbob-21`,
  `${SEARCH}?k=lamp&back=/dp/B0ZZ1Y2X3W?tag=bob-21`,
  "https://www.amazon.de/shop/anna-21",
  "https://amzn.to/3abc&tag=anna-21",
])("%s stays", (url) => {
  expect(readableAddress(url)).toBeNull();
});

describe("any product's address with a tag in any place", () => {
  const PLACES: readonly ((url: string, tag: string) => string)[] = [
    (url, tag) => `${url}?tag=${tag}`,
    (url, tag) => `${url}?th=1&tag=${tag}&psc=1`,
    (url, tag) => `${url}&tag=${tag}`,
    (url, tag) => `${url}&th=1&tag=${tag}&psc=1`,
    (url, tag) => `${url}/${tag}`,
    (url, tag) => `${url}/ref=nosim/${tag}`,
    (url, tag) => `${url}/ref=nosim&tag=${tag}?th=1`,
    (url, tag) => `${url}/?ref=nosim/?tag=${tag}`,
    (url, tag) => `${url.replace("/dp/", "/exec/obidos/ASIN/")}/ref=nosim/${tag}&th=1`,
    (url, tag) => `${url.replace("/dp/", "/o/ASIN/")}/${tag}`,
    (url, tag) => `${url}/tag=${tag}/`,
    (url, tag) => `${url}?th=1?tag=${tag}`,
    (url, tag) => `${url}?tag%3D${tag}`,
    (url, tag) => `${url}?th=1%26tag%3D${tag}`,
    (url, tag) => `${url}%3FlinkCode%3Dxm2%26tag%3D${tag}%26camp%3D1`,
    (url, tag) => `${url}%253Ftag%253D${tag}`,
    (url, tag) => `${url}?th=1;tag=${tag}`,
  ];
  const tag = fc.stringMatching(/^[a-z][a-z0-9.]{2,10}-21$/);
  const address = fc.record({
    base: fc
      .tuple(fc.constantFrom("dp", "Becher-&-Co/dp", "Fußmatte-weiß/dp", "gp/product"), asin)
      .map((parts) => `https://www.amazon.de/${parts.join("/")}`),
    place: fc.constantFrom(...PLACES),
    // Of a program that did not see the first.
    second: fc.constantFrom("", "?tag=", "&tag=", ";tag=", "%26tag%3D", "#tag="),
    tag,
  });

  const eachAddress = (check: (url: string, tag: string, base: string) => void) =>
    fc.assert(
      fc.property(address, ({ base, place, second, tag }) => {
        check(place(base, tag) + (second && second + tag), tag, base);
      }),
      { numRuns: 3_000 },
    );
  const contains = (url: string, tag: string) => decodeURIComponent(decodeURIComponent(url)).includes(tag);

  it("opens without the tag once it is removed, and without any other byte of it", () => {
    eachAddress((url, tag) => {
      const page = parseStorePage(url);
      expect(contains(removeTag(page?.webUrl ?? ""), tag)).toBe(false);
    });
  });

  it("a changed address has exactly the new tag, and no other beside it", () => {
    eachAddress((url, tag, base) => {
      expect(addTag(url, "main-21")).toBeNull();
      const tagged = setTag(url, "main-21") ?? "";
      expect(contains(tagged, tag)).toBe(false);
      expect(tagsOf(parseStorePage(tagged) ?? { webUrl: base })).toEqual(["main-21"]);
    });
  });

  it("a repair puts the tag where Amazon reads it", () => {
    eachAddress((url, tag) => {
      const repaired = parseStorePage(repairAmazonUrl(url)?.url ?? url);
      expect(repaired?.kind).toBe("product");
      expect(repaired && tagHealth(repaired)).toMatchObject({ tag });
      expect(repaired && tagHealth(repaired).kind).not.toBe("misplaced");
    });
  });
});

it("leaves any address readable, on the same page", () => {
  fc.assert(
    fc.property(storeAddress, ({ url }) => {
      const readable = readableAddress(url);
      if (readable === null) return;
      expect(readableAddress(readable)).toBeNull();
      const [page, meant] = [parseStorePage(url), parseStorePage(readable)];
      expect(meant?.marketplace).toBe(page?.marketplace);
      if (page?.kind === "product") expect(meant?.canonicalUrl).toBe(page.canonicalUrl);
    }),
    { numRuns: 5_000 },
  );
});
