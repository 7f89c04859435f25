import type { StorePage } from "./amazon-url.ts";
import { MARKETPLACES, type Marketplace } from "./marketplaces.ts";
import { isOneLinkStore, ONELINK_HOME } from "./onelink.ts";

/** The state of an affiliate tag by its form alone; only Amazon knows its owner. */
export type TagHealth =
  | { kind: "none" }
  | { kind: "sound"; tag: string }
  /** Amazon Attribution: reports to a seller, pays no associate. */
  | { kind: "attribution"; tag: string }
  /** Several different tags: Amazon does not document which one counts. */
  | { kind: "several"; tags: readonly string[] }
  /**
   * The suffix of amazon.com, in a store where Amazon OneLink can pay such tags. `isServed`: the owner says that it does.
   */
  | { kind: "onelink"; tag: string; isServed: boolean }
  /** The suffix of another country; tags of this store usually have `suffix`. */
  | { kind: "foreign"; tag: string; suffix: string }
  /** No usual suffix. Such tags exist, but most are typing errors. */
  | { kind: "unusual"; tag: string };

export const ATTRIBUTION_TAG = "maas";
const USUAL_TAG = /^[A-Za-z0-9][A-Za-z0-9_-]*(-2[0-9])$/;

/**
 * Checks the tag of a store page; changes nothing. An associate's tag works only in the store it was issued
 * for (webservices.amazon.com/paapi5/documentation/common-request-parameters.html), and where OneLink serves it.
 * @param served the stores that OneLink serves for the owner
 */
export function tagHealth(
  page: Pick<StorePage, "webUrl" | "marketplace" | "tag">,
  served: readonly Marketplace[] = [],
): TagHealth {
  const [tag, ...others] = tagsOf(page);
  if (tag === undefined) return { kind: "none" };
  if (others.length > 0) return { kind: "several", tags: [tag, ...others] };
  return tagHealthIn(page.marketplace, tag, served);
}

/** Checks one tag for a store. */
export function tagHealthIn(marketplace: Marketplace, tag: string, served: readonly Marketplace[] = []): TagHealth {
  if (tag === ATTRIBUTION_TAG) return { kind: "attribution", tag };

  const [, ending] = USUAL_TAG.exec(tag) ?? [];
  if (ending === undefined) return { kind: "unusual", tag };
  const suffix = MARKETPLACES[marketplace].tagSuffix;
  if (suffix === null || ending === suffix) return { kind: "sound", tag };
  return isOneLinkStore(marketplace) && ending === MARKETPLACES[ONELINK_HOME].tagSuffix
    ? { kind: "onelink", tag, isServed: served.includes(marketplace) }
    : { kind: "foreign", tag, suffix };
}

/** The different tags, decoded, in order: those in the query, else the one in the path of an old link. */
export function tagsOf({ webUrl, tag }: Pick<StorePage, "webUrl" | "tag">): string[] {
  const inQuery = new URL(webUrl).searchParams.getAll("tag").filter((value) => value !== "");
  if (inQuery.length > 0) return [...new Set(inQuery)];
  return tag === null ? [] : [tag];
}
