import { isStorePage, parseAmazonUrl } from "@tapthru/proto/rules/amazon-url";
import { buildDeepLink } from "@tapthru/proto/rules/deep-link";
import { productImage } from "@tapthru/proto/rules/images";
import { type RedirectTarget, redirectTarget } from "@tapthru/proto/rules/redirect-target";
import type { LinkRow } from "./link-row.ts";

type StoredAddresses = Pick<LinkRow, "originalUrl" | "webUrl" | "deepLink" | "imageUrl">;

/**
 * Checks the addresses of a stored link as the redirect service does: whoever can write to Postgres
 * still cannot show anybody a link to another site. A picture from another host is left out.
 * @returns `invalid` with an empty `webUrl` and `deepLink` where one of the three addresses does not
 *   lead to a page of an Amazon store; `originalUrl` stays as text for its owner
 */
export function checkLink<Link extends StoredAddresses>(
  link: Link,
  publicBaseUrl: string,
): Link & { invalid: boolean } {
  const page = parseAmazonUrl(link.webUrl);
  const target = deepLinkTarget(link);
  if (!isStorePage(page) || !isStorePage(parseAmazonUrl(link.originalUrl)) || target === null) {
    return { ...link, webUrl: "", deepLink: "", imageUrl: null, invalid: true };
  }
  return {
    ...link,
    webUrl: page.webUrl,
    // Built again, as the host it was built for may not be ours.
    deepLink: buildDeepLink(publicBaseUrl, target.productId, link.originalUrl),
    imageUrl: productImage(link.imageUrl),
    invalid: false,
  };
}

/** What the stored deep link opens; one without an address of its own opens the link's. */
function deepLinkTarget({ deepLink, originalUrl }: StoredAddresses): RedirectTarget | null {
  const rawQuery = /^https?:\/\/[^/?#@\\\s]+\/redirect\?([^#]*)$/.exec(deepLink)?.[1];
  if (rawQuery === undefined) return null;
  const query = new URLSearchParams(rawQuery);
  if (!query.has("original_url")) query.set("original_url", originalUrl);
  return redirectTarget(query);
}
