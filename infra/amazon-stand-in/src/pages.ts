import type { AmazonUrl } from "@tapthru/proto/rules/amazon-url";

type StorePage = Extract<AmazonUrl, { webUrl: string }>;

/** The page of a store, in our own words; it names the address asked for, so that people see it. */
export function storePage(page: StorePage): string {
  switch (page.kind) {
    case "product":
      return html(
        `Stand-in product ${page.asin}`,
        `<span id="productTitle">Stand-in product ${page.asin}</span>
    <img id="landingImage" src="${imageUrl(page.asin)}" alt="" width="300" height="300">`,
        page,
      );
    case "storefront":
      return html(`Stand-in storefront ${page.handle}`, "", page);
    case "other":
      return html("Stand-in page", "", page);
  }
}

/** A picture for any address under /images/I/ of Amazon's image hosts. */
export const PRODUCT_IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300"><rect width="300" height="300" fill="#e8e4dc"/><circle cx="150" cy="150" r="80" fill="#b08968"/></svg>';

function imageUrl(asin: string): string {
  return `https://m.media-amazon.com/images/I/${asin}._AC_SL1500_.jpg`;
}

function html(title: string, body: string, { marketplace, webUrl }: StorePage): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${escapeHtml(title)} : amazon.${marketplace}</title></head>
  <body>
    <h1>${escapeHtml(title)}</h1>
    ${body}
    <p>You asked for <code>${escapeHtml(webUrl)}</code></p>
    <p><a href="/">Continue shopping</a></p>
  </body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
