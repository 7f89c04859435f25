import type { AmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { escapeHtml } from "@tapthru/proto/rules/escape-html";
import { element, htmlDocument, openGraph } from "./html.ts";

export type StorePage = Extract<AmazonUrl, { webUrl: string }>;

/** A plain page of a store; it shows the requested address. */
export function storePage(page: StorePage): string {
  switch (page.kind) {
    case "product": {
      const canonicalUrl = `https://www.amazon.${page.marketplace}/dp/${page.asin}`;
      return plainPage(page, `Stand-in product ${page.asin}`, {
        head: element("link", { rel: "canonical", href: canonicalUrl }),
        body: `<span id="productTitle">Stand-in product ${page.asin}</span>
    <img id="landingImage" src="${imageUrl(`${page.asin}._AC_SL1500_`)}" alt="" width="300" height="300">`,
      });
    }
    case "storefront": {
      const title = `Stand-in storefront ${page.handle}`;
      return plainPage(page, title, {
        head: openGraph({
          type: "website",
          title,
          description: "Recommended products.",
          image: imageUrl("71Storefront._SL1200_"),
        }),
      });
    }
    case "other":
      return plainPage(page, "Stand-in page", {});
  }
}

/** The image for any address under /images/I/ of Amazon's image hosts. */
export const PRODUCT_IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300"><rect width="300" height="300" fill="#e8e4dc"/><circle cx="150" cy="150" r="80" fill="#b08968"/></svg>';

export function imageUrl(name: string): string {
  return `https://m.media-amazon.com/images/I/${name}.jpg`;
}

function plainPage(
  { marketplace, webUrl }: StorePage,
  title: string,
  { head = "", body = "" },
): string {
  return htmlDocument({
    title: `${title} : amazon.${marketplace}`,
    head,
    body: `<h1>${escapeHtml(title)}</h1>
    ${body}
    <p>Requested address: <code>${escapeHtml(webUrl)}</code></p>
    <p><a href="/">Continue shopping</a></p>`,
  });
}
