import { load } from "cheerio";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { LiveLink } from "../link.ts";
import { liveRecord } from "../testing/test-service.ts";
import { previewCard } from "./preview-card.ts";

const LINK: LiveLink = {
  ...liveRecord({ webUrl: "https://www.amazon.com/dp/B000000001?tag=me-20&th=1", siteName: "Amazon.com" }),
  title: "A lamp",
  description: "It gives light.",
  marketplace: "com",
  routed: null,
  imageUrl: "https://m.media-amazon.com/images/I/71abc.jpg",
};
const SITE = { pageUrl: "https://go.example/l/abc2345", siteUrl: "https://go.example", productName: "Tapthru" };

/** Parses the card with parse5, like a browser. */
function parseCard(link: LiveLink) {
  const $ = load(previewCard(link, SITE));
  const tags = $("meta[content]")
    .toArray()
    .map((meta) => [$(meta).attr("property") ?? $(meta).attr("name"), $(meta).attr("content")]);
  return { $, tags: Object.fromEntries(tags) };
}

it("contains the record's data for Open Graph and Twitter", () => {
  expect(parseCard(LINK).tags).toEqual({
    "og:type": "website",
    "og:url": SITE.pageUrl,
    "og:site_name": "Amazon.com",
    "og:title": "A lamp",
    "og:description": "It gives light.",
    "og:image": "https://m.media-amazon.com/images/I/71abc._SL600_.jpg",
    "og:image:alt": "A lamp",
    description: "It gives light.",
    "twitter:card": "summary_large_image",
    "twitter:title": "A lamp",
    "twitter:description": "It gives light.",
    "twitter:image": "https://m.media-amazon.com/images/I/71abc._SL600_.jpg",
    "twitter:image:alt": "A lamp",
    robots: "noindex, nofollow",
  });
});

it("names Amazon and the address without metadata", () => {
  const noMetadata = { title: null, description: null, imageUrl: null, siteName: null };
  const { $, tags } = parseCard({ ...LINK, ...noMetadata });
  expect(tags).toEqual({
    "og:type": "website",
    "og:url": SITE.pageUrl,
    "og:site_name": "Amazon",
    "og:title": "Tapthru - Open in Amazon App",
    "og:description": "View on Amazon: www.amazon.com",
    "og:image": "https://go.example/social-card.png",
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": "Tapthru - Open in Amazon App",
    description: "View on Amazon: www.amazon.com",
    "twitter:card": "summary_large_image",
    "twitter:title": "Tapthru - Open in Amazon App",
    "twitter:description": "View on Amazon: www.amazon.com",
    "twitter:image": "https://go.example/social-card.png",
    "twitter:image:alt": "Tapthru - Open in Amazon App",
    robots: "noindex, nofollow",
  });
  expect($("body").text()).toContain(LINK.webUrl);
  expect($("a").attr("href")).toBe(LINK.webUrl);
});

it("names the creator and says what Amazon asks affiliates to say, before the description", () => {
  const description = (link: Partial<LiveLink>) => parseCard({ ...LINK, ...link }).tags["og:description"];
  expect(description({ creatorName: "<b>Anna", showsDisclosure: true })).toBe(
    "<b>Anna · As an Amazon Associate I earn from qualifying purchases. It gives light.",
  );
  expect(description({ creatorName: "Anna" })).toBe("Anna · It gives light.");
});

it("escapes a hostile title", () => {
  const title = `</title>'"><script>__pwned = 1</script><!-- &quot; \u202e <base href=//evil.example>`;
  const { $, tags } = parseCard({ ...LINK, title, description: title, siteName: title });
  expect($("title").text()).toBe(title);
  expect(tags).toMatchObject({ "og:title": title, "og:description": title, "og:site_name": title });
});

it.each([
  "http://m.media-amazon.com/images/I/71abc.jpg",
  "https://evil.example/images/I/71abc.jpg",
  "https://m.media-amazon.com.evil.example/images/I/71abc.jpg",
  `https://m.media-amazon.com/images/I/71abc.jpg"><script>__pwned = 1</script>`,
  "javascript:alert(1)",
  "data:image/png;base64,x",
])("shows the default image instead of %s", (imageUrl) => {
  const { tags } = parseCard({ ...LINK, imageUrl });
  expect(tags["og:image"]).toBe("https://go.example/social-card.png");
});

it("has the same elements for any title, description, site name and creator", () => {
  const elements = (link: LiveLink) => {
    const { $ } = parseCard(link);
    return $("*")
      .toArray()
      .map((element) => [$(element).prop("tagName"), ...Object.keys($(element).attr() ?? {})]);
  };
  const expected = elements(LINK);
  const hostile = fc
    .array(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom("<", ">", '"', "'", "&", "</title>", "<script>", "<!--", "-->", "=", "&lt"),
        fc.constantFrom("\0", "\r", "\n", "\u2028", "\ud800", "]]>", "<base href=//evil.example>"),
      ),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (title, description, siteName, creatorName) => {
      const link = { ...LINK, title, description, siteName, creatorName };
      expect(elements(link)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
