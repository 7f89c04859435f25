import type { StoredRecord } from "@tapthru/core/platform/redis/redirect-store";
import { type FallbackPage, linkAddress, linkFallback, linkRouting } from "@tapthru/proto/redirect/link-of-owner";
import type { OwnerRecord } from "@tapthru/proto/redirect/owner";
import type { LiveRecord, RedirectRecord } from "@tapthru/proto/redirect/record";
import { storeDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { removeTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { type RoutedProduct, routedProduct } from "@tapthru/proto/rules/routing/route-visit";
import { type TagDefect, tagDefect } from "./tag-defect.ts";

/** The fields of a link and, with `saidBy`, of its owner. */
export interface LiveLink
  extends LiveRecord,
    Pick<OwnerRecord, "creatorName" | "showsDisclosure" | "assistantsGetTag"> {
  marketplace: Marketplace;
  saidBy?: OwnerRecord;
  /** Null if all visitors open `webUrl`. */
  routed: RoutedProduct | null;
  /** The page that opens once the link has expired or its product is gone. */
  fallbackPage?: (FallbackPage & { tagDefect?: TagDefect | null }) | undefined;
  /** The defect of the tag in `webUrl`, if the link has an owner. */
  tagDefect?: TagDefect | null;
}

export type Link = (LiveLink | Exclude<RedirectRecord, LiveRecord>) & Pick<StoredRecord, "isOfOtherRelease">;

/**
 * The result of looking up a code. `unavailable`: the dependencies that could know the code are unavailable; `limited`:
 * the client requested too many unknown codes.
 */
export type Lookup =
  | Link
  | { state: "unknown" }
  | { state: "unavailable" }
  | { state: "limited"; retryAfterMs: number };

/**
 * Validates a record's address like a pasted one. Even with write access to Redis or Postgres, an attacker can only send
 * visitors to a page of an Amazon store.
 * @returns null if the address is not such a page
 */
export function linkFrom(record: RedirectRecord): Link | null {
  if (record.state !== "live") return record;
  const destination = storeDestination(record.webUrl);
  return destination && { ...record, ...destination, webUrl: untag(record, destination.webUrl), routed: null };
}

/** @param owner that of the link's record */
export function linkOfOwner(link: LiveLink, owner: OwnerRecord): LiveLink {
  const { creatorName, showsDisclosure, assistantsGetTag } = owner;
  const webUrl = link.isUntagged ? link.webUrl : linkAddress(link, owner);
  const routing = linkRouting(link, owner);
  const fallback = linkFallback(link, owner);
  return {
    ...link,
    webUrl,
    creatorName,
    showsDisclosure,
    assistantsGetTag,
    saidBy: owner,
    routed: routing && routedProduct(webUrl, routing),
    fallbackPage: fallback
      ? { ...fallback, webUrl: untag(link, fallback.webUrl), tagDefect: tagDefect(fallback, owner) }
      : undefined,
    tagDefect: tagDefect({ webUrl, marketplace: link.marketplace }, owner),
  };
}

function untag({ isUntagged }: LiveRecord, webUrl: string): string {
  return isUntagged ? removeTag(webUrl) : webUrl;
}

/** Returns true if the visitors of the link may be sent to other stores. */
export function isRouted(lookup: Lookup): boolean {
  return lookup.state === "live" && lookup.routed !== null;
}
