import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { ATTRIBUTION_TAG } from "@tapthru/proto/rules/amazon/earning-tags";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { pageTitle } from "@tapthru/proto/rules/amazon/page-title";
import { emptyTag, setTag } from "@tapthru/proto/rules/amazon/set-tag";
import { tagsOf } from "@tapthru/proto/rules/amazon/tag-health";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";
import { TAG_MAX_LENGTH } from "@tapthru/proto/rules/limits";

export interface LinkAddresses {
  originalUrl: string;
  webUrl: string;
  deepLink: string;
  marketplace: Marketplace;
  /** The first tag in lower case, as `storedTag` writes it; null without one. */
  tag: string | null;
  asin: string | null;
  /** The page whose metadata the link shows; null for pages without metadata. */
  page: { canonicalUrl: string; marketplace: string; productId: string } | null;
  pageTitle: string | null;
}

/** The canonical URL is ASCII and indexed; Postgres limits the size of index entries. */
const CANONICAL_URL_MAX_BYTES = 2_048;

/** @param originalUrl the pasted text, or what a short link resolved to; `page` is the result of parsing it */
export function linkAddresses(publicBaseUrl: string, originalUrl: string, page: StorePage): LinkAddresses {
  return {
    originalUrl,
    webUrl: page.webUrl,
    deepLink: buildDeepLink(publicBaseUrl, page.productId, originalUrl),
    marketplace: page.marketplace,
    tag: storedTag(page),
    asin: page.kind === "product" ? page.asin : null,
    page: metadataPage(page),
    pageTitle: pageTitle(page),
  };
}

/** The same page with another tag. @returns null if an address would become too long */
export function withTag(
  publicBaseUrl: string,
  link: Pick<LinkAddresses, "originalUrl" | "webUrl">,
  tag: string,
): LinkAddresses | null {
  const originalUrl = setTag(link.originalUrl, tag) ?? setTag(link.webUrl, tag);
  const page = originalUrl === null ? null : parseStorePage(originalUrl);
  if (originalUrl === null || page === null) return null;
  return linkAddresses(publicBaseUrl, originalUrl, page);
}

const LONGEST_TAG = "0".repeat(TAG_MAX_LENGTH);

/**
 * The stored addresses of a link that follows its channel: `withTag` and, in Postgres, `link_url` set the tag that the channel has.
 * @returns null if they cannot set each tag
 */
export function withEmptyTag(
  publicBaseUrl: string,
  link: Pick<LinkAddresses, "originalUrl" | "webUrl">,
): LinkAddresses | null {
  const tagged = setTag(link.originalUrl, LONGEST_TAG) ?? setTag(link.webUrl, LONGEST_TAG);
  const originalUrl = tagged === null ? "" : emptyTag(tagged);
  const page = parseStorePage(originalUrl);
  const addresses = page && linkAddresses(publicBaseUrl, originalUrl, page);
  const isSame = addresses !== null && setTag(addresses.webUrl, LONGEST_TAG) === parseStorePage(tagged ?? "")?.webUrl;
  return addresses?.tag === null && isSame ? addresses : null;
}

/**
 * Another product of the same store, with the parameters and the tag of the address.
 * @param earlierUrl the address of that product, which gets only the tag; null: it is made of the present one
 * @returns null if it is not one of a product
 */
export function withProduct(
  publicBaseUrl: string,
  webUrl: string,
  asin: string,
  earlierUrl: string | null = null,
): LinkAddresses | null {
  const before = parseStorePage(webUrl);
  if (before?.kind !== "product") return null;
  const { origin, search } = new URL(webUrl);
  const address = earlierUrl ?? `${origin}/dp/${asin}${search.replaceAll(before.asin, asin)}`;
  const page = parseStorePage(address);
  if (page === null) return null;
  const [tag] = tagsOf(before);
  return tag === undefined || tag === ATTRIBUTION_TAG || tag === tagsOf(page)[0]
    ? linkAddresses(publicBaseUrl, address, page)
    : withTag(publicBaseUrl, { originalUrl: address, webUrl: page.webUrl }, tag);
}

/**
 * A tag that a channel can have is only written in lower case. Others are any text: it is percent-encoded and cut, so that it can be
 * stored and indexed, and stays longer than a channel's.
 */
function storedTag(page: StorePage): string | null {
  const [tag] = tagsOf(page);
  if (tag === undefined) return null;
  return encodeURIComponent(tag)
    .toLowerCase()
    .slice(0, TAG_MAX_LENGTH + 1);
}

function metadataPage({ canonicalUrl, marketplace, productId }: StorePage): LinkAddresses["page"] {
  if (canonicalUrl === null || canonicalUrl.length > CANONICAL_URL_MAX_BYTES) return null;
  return { canonicalUrl, marketplace, productId };
}
