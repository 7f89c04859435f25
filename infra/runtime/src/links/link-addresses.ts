import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { pageTitle } from "@tapthru/proto/rules/amazon/page-title";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";

/** What a link stores about its destination. */
export interface LinkAddresses {
  originalUrl: string;
  webUrl: string;
  deepLink: string;
  /** The page whose metadata the link shows; null for pages without metadata. */
  page: { canonicalUrl: string; marketplace: string; productId: string } | null;
  /** Of a page without metadata, if its address says what it is. */
  pageTitle: string | null;
}

/** The canonical URL is ASCII and indexed; Postgres limits the size of index entries. */
const CANONICAL_URL_MAX_BYTES = 2_048;

/** @param originalUrl the pasted text, or what a short link resolved to; `page` is the result of parsing it */
export function linkAddresses(
  publicBaseUrl: string,
  originalUrl: string,
  page: StorePage,
): LinkAddresses {
  return {
    originalUrl,
    webUrl: page.webUrl,
    deepLink: buildDeepLink(publicBaseUrl, page.productId, originalUrl),
    page: metadataPage(page),
    pageTitle: pageTitle(page),
  };
}

function metadataPage({ canonicalUrl, marketplace, productId }: StorePage): LinkAddresses["page"] {
  if (canonicalUrl === null || canonicalUrl.length > CANONICAL_URL_MAX_BYTES) return null;
  return { canonicalUrl, marketplace, productId };
}
