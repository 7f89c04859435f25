import type { LinkExperiment } from "@tapthru/proto/redirect/link-experiment";
import { type FallbackPage, fallbackPageOf } from "@tapthru/proto/redirect/link-fallback";
import type { LiveRecord, RedirectRecord } from "@tapthru/proto/redirect/record";
import { storeDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { removeTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { setTag } from "@tapthru/proto/rules/amazon/set-tag";
import { type RoutedProduct, routedProduct } from "@tapthru/proto/rules/routing/route-visit";

export interface LiveLink extends Omit<LiveRecord, "routing" | "fallback" | "experiments"> {
  marketplace: Marketplace;
  /** Null if all visitors open `webUrl`. */
  routed: RoutedProduct | null;
  /** What opens once the link has expired or its product is gone. */
  fallbackPage?: FallbackPage | undefined;
  /** Of its experiments. */
  arms?: readonly ArmsOnSystem[] | undefined;
}

interface ArmsOnSystem extends Pick<LinkExperiment, "os"> {
  /** Null: it does not end. */
  to: number | null;
  /** Two, or the adopted one. */
  arms: readonly Arm[];
}

/** How some visitors of a link open it, and with which tag. */
export interface Arm {
  key: string;
  way: LinkExperiment["arms"]["a"]["way"];
  webUrl: string;
}
export type Link = LiveLink | Exclude<RedirectRecord, LiveRecord>;

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
  const { routing, fallback, experiments, ...live } = record;
  const { webUrl, marketplace } = destination;
  const routed = routing ? routedProduct(webUrl, routing) : null;
  const untag = live.isUntagged ? removeTag : (url: string) => url;
  const link: LiveLink = { ...live, webUrl: untag(webUrl), marketplace, routed };
  if (experiments && !live.isUntagged) link.arms = experiments.map((each) => armsOf(each, webUrl));
  const page = fallback && fallbackPageOf(fallback);
  return page ? { ...link, fallbackPage: { ...page, webUrl: untag(page.webUrl) } } : link;
}

/** With the link's own tag if the address cannot have that of the arm. */
function armsOf({ id, os, to, arms, adopted }: LinkExperiment, webUrl: string): ArmsOnSystem {
  if (adopted !== null) {
    return { os, to: null, arms: [{ key: `${id}-adopted`, way: arms[adopted].way, webUrl }] };
  }
  const both = (["a", "b"] as const).map((arm) => ({
    key: `${id}${arm}`,
    way: arms[arm].way,
    webUrl: setTag(webUrl, arms[arm].tag) ?? webUrl,
  }));
  return { os, to, arms: both };
}

/** Whether the visitors of the link may be sent to other stores. */
export function isRouted(lookup: Lookup): boolean {
  return lookup.state === "live" && lookup.routed !== null;
}
