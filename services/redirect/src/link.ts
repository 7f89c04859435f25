import type { StoredRecord } from "@tapthru/core/platform/redis/redirect-store";
import { type FallbackPage, fallbackPageOf } from "@tapthru/proto/redirect/link-fallback";
import type { LiveRecord, RedirectRecord } from "@tapthru/proto/redirect/record";
import { storeDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { removeTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { type RoutedProduct, routedProduct } from "@tapthru/proto/rules/routing/route-visit";

export interface LiveLink extends Omit<LiveRecord, "routing" | "fallback"> {
  marketplace: Marketplace;
  /** Null if all visitors open `webUrl`. */
  routed: RoutedProduct | null;
  /** What opens once the link has expired or its product is gone. */
  fallbackPage?: FallbackPage | undefined;
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
  if (record.state === "gone") return record;
  const destination = storeDestination(record.webUrl);
  if (destination === null) return null;
  const { routing, fallback, ...live } = record;
  const { webUrl, marketplace } = destination;
  const routed = routing ? routedProduct(webUrl, routing) : null;
  const untag = live.isUntagged ? removeTag : (url: string) => url;
  const link: LiveLink = { ...live, webUrl: untag(webUrl), marketplace, routed };
  const page = fallback && fallbackPageOf(fallback);
  return page ? { ...link, fallbackPage: { ...page, webUrl: untag(page.webUrl) } } : link;
}

/** Whether the visitors of the link may be sent to other stores. */
export function isRouted(lookup: Lookup): boolean {
  return lookup.state === "live" && lookup.routed !== null;
}
