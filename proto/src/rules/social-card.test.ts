import { describe, expect, it } from "vitest";
import { amazonCard, socialTags } from "./social-card.ts";

const PAGE_URL = "https://go.example/l/abc2345";
const NOTHING = {
  webUrl: "https://www.amazon.de/dp/B0ZZ1Y2X3W",
  title: null,
  description: null,
  imageUrl: null,
  siteName: null,
};
const SITE = { pageUrl: PAGE_URL, productName: "Tapthru" };
const contents = (card: Parameters<typeof socialTags>[0]) =>
  Object.fromEntries(socialTags(card).map(({ key, content }) => [key, content]));

describe("amazonCard", () => {
  it("contains the known metadata of the page", () => {
    const known = {
      ...NOTHING,
      title: "A lamp",
      description: "It gives light.",
      imageUrl: "https://m.media-amazon.com/images/I/71abc.jpg",
      siteName: "Amazon.de",
    };
    const { webUrl: _, ...shown } = known;
    const imageUrl = "https://m.media-amazon.com/images/I/71abc._SL600_.jpg";
    expect(amazonCard(known, SITE)).toEqual({ ...shown, imageUrl, pageUrl: PAGE_URL });
  });

  it("names Amazon and the address without metadata", () => {
    expect(amazonCard(NOTHING, SITE)).toEqual({
      pageUrl: PAGE_URL,
      siteName: "Amazon",
      title: "Tapthru - Open in Amazon App",
      description: "View on Amazon: www.amazon.de",
      imageUrl: null,
    });
  });

  it.each([
    ["71abcDEF123._AC_SL1500_.jpg", "71abcDEF123._SL600_.jpg"],
    ["71abc+d%2BL.jpg", "71abc+d%2BL._SL600_.jpg"],
    ["81x-y.z._AC_SR1200,630_QL70_.png", "81x-y._SL600_.png"],
    ["41abc._SS40_.jpg", "41abc._SL600_.jpg"],
    ["71abc._SL600_.jpg", "71abc._SL600_.jpg"],
    ["71abc", "71abc"],
  ])("the picture %s is shown with 600 pixels: %s", (file, shown) => {
    const folder = "https://m.media-amazon.com/images/I/";
    expect(amazonCard({ ...NOTHING, imageUrl: folder + file }, SITE).imageUrl).toBe(folder + shown);
  });

  it.each(["https://evil.example/images/I/71abc.jpg", "javascript:alert(1)"])("shows no image from %s", (imageUrl) => {
    expect(amazonCard({ ...NOTHING, imageUrl }, SITE).imageUrl).toBeNull();
  });
});

describe("socialTags", () => {
  // Specification 2.54
  it("socialTags contain the absolute URL of the default image of 1200x630 without another image", () => {
    expect(contents(amazonCard(NOTHING, SITE))).toMatchObject({
      "og:image": "https://go.example/social-card.png",
      "og:image:width": "1200",
      "og:image:height": "630",
      "twitter:card": "summary_large_image",
      "twitter:image": "https://go.example/social-card.png",
    });
  });

  it("the tags name the page of an own domain, and the default image of the site", () => {
    const site = { ...SITE, pageUrl: "https://go.anna.example/mug", siteUrl: "https://go.example" };
    const image = "https://go.example/social-card.png";
    expect(contents(amazonCard(NOTHING, site))).toMatchObject({ "og:url": site.pageUrl, "og:image": image });
  });

  it("socialTags contain no size for an external image", () => {
    const imageUrl = "https://m.media-amazon.com/images/I/71abc.jpg";
    const tags = contents(amazonCard({ ...NOTHING, imageUrl }, SITE));
    expect(tags["og:image"]).toBe("https://m.media-amazon.com/images/I/71abc._SL600_.jpg");
    expect(tags).not.toHaveProperty("og:image:width");
  });
});
