import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import type { Link, LinkHealth } from "@tapthru/proto/links";
import { linkFallback } from "@tapthru/proto/redirect/link-of-owner";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { productImage } from "@tapthru/proto/rules/amazon/images";
import { buildDeepLink, type RedirectTarget, redirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { splitShortCode } from "@tapthru/proto/rules/short-code";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { labelsRevision } from "./labels.ts";
import type { LinkRow } from "./link-row.ts";

/** The link as its owner sees it, validated by `checkLink`. */
export function linkReply(row: LinkRow, publicBaseUrl: string): Link {
  return {
    ...checkLink(row, publicBaseUrl),
    shortUrl: shortUrl(publicBaseUrl, row.shortCode),
    plainUrl: row.untaggedCode === null ? null : shortUrl(publicBaseUrl, row.untaggedCode),
    domain: splitShortCode(row.shortCode).host,
    createdAt: new Date(row.createdAt).toISOString(),
    startsAt: isoOrNull(row.startsAt),
    expiresAt: isoOrNull(row.expiresAt),
    labelsRevision: labelsRevision(row.labels.map(({ id }) => id)),
    health: linkHealth(row),
  };
}

function linkHealth(row: LinkRow): LinkHealth {
  const state = row.healthState ?? "unknown";
  return {
    state,
    since: state === "unknown" ? null : isoOrNull(row.healthSince),
    checkedAt: isoOrNull(row.checkedAt),
    source: row.checkSource,
    attemptedAt: isoOrNull(row.attemptedAt),
    fallbackUrl: (row.closed && linkFallback(row.closed.link, row.closed.owner)?.webUrl) ?? null,
  };
}

type StoredAddresses = Pick<LinkRow, "originalUrl" | "webUrl" | "deepLink" | "imageUrl">;

/**
 * Validates the addresses of a stored link like the redirect service does, so that write access to Postgres does
 * not allow publishing links to other sites. Removes images from other hosts.
 * @returns `invalid: true` with empty `webUrl` and `deepLink` if one of the three addresses is not a page of an
 *   Amazon store. `originalUrl` is kept as text for the owner.
 */
function checkLink<Link extends StoredAddresses>(link: Link, publicBaseUrl: string): Link & { invalid: boolean } {
  const page = parseStorePage(link.webUrl);
  const target = deepLinkTarget(link);
  if (page === null || parseStorePage(link.originalUrl) === null || target === null) {
    return { ...link, webUrl: "", deepLink: "", imageUrl: null, invalid: true };
  }
  return {
    ...link,
    webUrl: page.webUrl,
    // Rebuilt, because the stored host may be wrong.
    deepLink: buildDeepLink(publicBaseUrl, target.productId, link.originalUrl),
    imageUrl: productImage(link.imageUrl),
    invalid: false,
  };
}

/** The target of the stored deep link. Without `original_url` it opens the original URL of the link. */
function deepLinkTarget({ deepLink, originalUrl }: StoredAddresses): RedirectTarget | null {
  const rawQuery = /^https?:\/\/[^/?#@\\\s]+\/redirect\?([^#]*)$/.exec(deepLink)?.[1];
  if (rawQuery === undefined) return null;
  const query = new URLSearchParams(rawQuery);
  if (!query.has("original_url")) query.set("original_url", originalUrl);
  return redirectTarget(query);
}
