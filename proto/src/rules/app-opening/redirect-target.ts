import { parseStorePage } from "../amazon/amazon-url.ts";
import type { Marketplace } from "../amazon/marketplaces.ts";
import { isAsin, PRODUCT_ID_PATTERN } from "../amazon/product-id.ts";

/** @param originalUrl as pasted; well-formed Unicode, as parseAmazonUrl requires */
export function buildDeepLink(publicBaseUrl: string, productId: string, originalUrl: string): string {
  const id = encodeURIComponent(productId);
  return `${publicBaseUrl}/redirect?product_id=${id}&original_url=${encodeURIComponent(originalUrl)}`;
}

export interface RedirectTarget {
  productId: string;
  webUrl: string;
  marketplace: Marketplace;
}

/**
 * The page that a deep link, /redirect with `product_id` and `original_url`, opens: always a page of an Amazon store. An
 * ASIN without an address is opened on amazon.com.
 * @returns null for an invalid deep link
 */
export function redirectTarget(query: URLSearchParams): RedirectTarget | null {
  const productId = query.get("product_id") ?? "";
  if (!PRODUCT_ID_PATTERN.test(productId)) return null;
  const address = query.get("original_url") ?? addressOf(productId);
  const page = parseStorePage(address ?? "");
  if (page === null) return null;
  return { productId, webUrl: page.webUrl, marketplace: page.marketplace };
}

function addressOf(productId: string): string | null {
  return isAsin(productId) ? `https://www.amazon.com/dp/${productId}` : null;
}
