import { type Destination, parseStorePage, storeDestination } from "../rules/amazon/amazon-url.ts";
import { isMarketplace } from "../rules/amazon/marketplaces.ts";
import { emptyTag, setTag } from "../rules/amazon/set-tag.ts";
import type { LinkRouting } from "./link-routing.ts";
import type { OwnerRecord } from "./owner.ts";
import type { LiveRecord } from "./record.ts";

/** The channel of a link: its own, or the default one, also if its own was deleted. */
function channelOf({ channelId }: LiveRecord, { channels, defaultChannel }: OwnerRecord) {
  return channels[channelId ?? ""] ?? channels[defaultChannel ?? ""];
}

/**
 * Returns the address of a link with the tag that its channel has now, if the link follows it, or else the last one that it had.
 * `link_url` in Postgres does the same.
 * @param link its address may have the tag of an earlier record of the owner
 */
export function linkAddress(link: LiveRecord, owner: OwnerRecord): string {
  if (!link.followsChannel) return link.webUrl;
  const tag = followedTag(link, owner);
  return (tag === undefined ? null : setTag(link.webUrl, tag)) ?? emptyTag(link.webUrl);
}

function followedTag({ webUrl, followsChannel, channelId = 0 }: LiveRecord, owner: OwnerRecord): string | undefined {
  const marketplace = (followsChannel && storeDestination(webUrl)?.marketplace) || "";
  return owner.channels[channelId]?.tags[marketplace] ?? owner.keptTags?.[channelId]?.[marketplace];
}

/** Returns true if a link follows its channel and the owner's record has no tag for it. The record may be older than the link. */
export function lacksTag(link: LiveRecord, owner: OwnerRecord): boolean {
  return link.followsChannel === true && followedTag(link, owner) === undefined;
}

/** Returns how visitors of a link are sent to their own stores, with the tags of its channel; null if they are not. */
export function linkRouting(link: LiveRecord, owner: OwnerRecord): LinkRouting | null {
  const isOn = link.isRouted ?? owner.isRouted ?? false;
  const own = isOn ? parseStorePage(link.webUrl) : null;
  if (own?.kind !== "product") return null;
  const oneLink = owner.oneLink.filter(isMarketplace);
  const searchTitle = owner.searches ? (link.productTitle ?? link.title) : null;
  const stores = Object.entries(channelOf(link, owner)?.tags ?? {}).flatMap(([marketplace, tag]) => {
    if (!isMarketplace(marketplace) || marketplace === own.marketplace || oneLink.includes(marketplace)) return [];
    const isSold = link.soldIn?.includes(marketplace) ?? false;
    return isSold || searchTitle !== null ? { marketplace, tag, isSold } : [];
  });
  return stores.length === 0 ? null : { stores, oneLink, searchTitle };
}

export type FallbackPage = Destination & { isProductGone: boolean };

/**
 * Returns what opens before a link starts, and once it has expired or its product is gone: the page of the link or of its channel,
 * with the tag that the channel has in its store. Null: nothing, or the link always opens its own page.
 */
export function linkFallback(link: LiveRecord, owner: OwnerRecord): FallbackPage | null {
  const { startsAt, expiresAt, isProductGone = false } = link;
  if (startsAt === undefined && expiresAt === null && !isProductGone) return null;
  const channel = channelOf(link, owner);
  const url = link.fallbackUrl ?? channel?.fallbackUrl;
  const page = url === undefined ? null : storeDestination(url);
  if (page === null) return null;
  const tag = channel?.tags[page.marketplace];
  const tagged = tag === undefined ? null : setTag(page.webUrl, tag);
  return { ...page, webUrl: tagged ?? page.webUrl, isProductGone };
}

/** Returns the page that a link opens for any visitor: its fallback while it is closed or if its product is gone, or null. */
export function openedPage<Page>(
  own: Page,
  fallback: FallbackPage | null | undefined,
  isClosed: boolean,
): Page | FallbackPage | null {
  if (fallback && (isClosed || fallback.isProductGone)) return fallback;
  return isClosed ? null : own;
}
