import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { escapeHtml } from "@tapthru/proto/rules/page-style";

export type StorePage = Extract<AmazonUrl, { webUrl: string }>;

/** A page of the folder `pages` as HTML, with these values instead of `{{name}}`. */
export function renderPage(page: string, values: Record<string, string> = {}): string {
  const html = readFileSync(join(import.meta.dirname, "pages", `${page}.html`), "utf8");
  return html.replaceAll(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => values[name] ?? "");
}

/** A product page as browsers get it, with other elements around title and image. All values are HTML. */
export function productPage(values: {
  title: string;
  picture?: string;
  language?: string;
  head?: string;
  more?: string;
}): string {
  const head = '<meta name="description" content="Buy things online.">';
  return renderPage("product", { language: "en", head, ...values });
}

/** A plain page of a store; it shows the requested address. */
export function storePage(page: StorePage): string {
  const values = { marketplace: page.marketplace, address: escapeHtml(page.webUrl) };
  if (page.kind === "product") {
    const title = `Stand-in product ${page.asin}`;
    const canonicalUrl = `https://www.amazon.${page.marketplace}/dp/${page.asin}`;
    const image = imageUrl(`${page.asin}._AC_SL1500_`);
    return renderPage("store", {
      ...values,
      title,
      head: `<link rel="canonical" href="${canonicalUrl}">`,
      body: `<span id="productTitle">${title}</span>
  <img id="landingImage" src="${image}" alt="" width="300" height="300">`,
    });
  }
  if (page.kind === "other") return renderPage("store", { ...values, title: "Stand-in page" });
  const title = `Stand-in storefront ${page.handle}`;
  const tags = {
    type: "website",
    title,
    description: "Recommended products.",
    image: imageUrl("71Storefront._SL1200_"),
  };
  return renderPage("store", { ...values, title, head: openGraph(tags) });
}

export function imageUrl(name: string): string {
  return `https://m.media-amazon.com/images/I/${name}.jpg`;
}

/** Open Graph tags; the names are given without `og:`. */
export function openGraph(tags: Record<string, string>): string {
  return Object.entries(tags)
    .map(([name, content]) => `<meta property="og:${name}" content="${escapeHtml(content)}">`)
    .join("\n");
}

export function imageElement(attributes: Record<string, string>): string {
  const texts = Object.entries(attributes).map(([name, text]) => `${name}="${escapeHtml(text)}"`);
  return `<img ${texts.join(" ")}>`;
}

/** The main image of a desktop page; `name` is the image's file name without size and extension. */
export function landingImage(name: string, attributes: Record<string, string> = {}): string {
  return imageElement({
    id: "landingImage",
    class: "a-dynamic-image a-stretch-vertical",
    src: imageUrl(`${name}._AC_SX300_SY300_QL70_FMwebp_`),
    "data-old-hires": imageUrl(`${name}._AC_SL1500_`),
    "data-a-dynamic-image": dynamicImage(`${name}._AC_`),
    ...attributes,
  });
}

/** Image addresses with height and width in pixels, the largest in the middle. */
export function dynamicImage(name: string): string {
  return JSON.stringify({
    [imageUrl(`${name}SY355_`)]: [355, 284],
    [imageUrl(`${name}SX679_`)]: [849, 679],
    [imageUrl(`${name}SX466_`)]: [583, 466],
  });
}
