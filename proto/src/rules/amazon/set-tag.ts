import { parseStorePage, type StorePage } from "./amazon-url.ts";
import { ATTRIBUTION_TAG, editParameters, isCart, isTag } from "./earning-tags.ts";
import { readableAddress } from "./readable-address.ts";
import { resolveSponsoredLink } from "./sponsored-link.ts";
import { tagsAt } from "./tag-health.ts";
import { parseWebAddress } from "./web-address.ts";

/**
 * Gives the address of a store page this tag, instead of all that it has of associates. Of an address with a tag in its path, and of a
 * sponsored link, the page is kept; of others, all other bytes.
 * @param tag matches TAG_PATTERN
 * @returns null if the address is not a store page, is one of Amazon Attribution, or would become too long
 */
export function setTag(url: string, tag: string): string | null {
  const typed = url.trim();
  const given = readableAddress(typed) ?? typed;
  const page = parseStorePage(given);
  if (page === null) return null;
  const before = [typed, given].map((each) => tagsAt(each) ?? []);
  if (before.some((tags) => tags.join() === ATTRIBUTION_TAG)) return null;
  const tagged = replaceTags(baseOf(given, page), tag);
  const [first, ...others] = tagsAt(tagged) ?? [];
  const wasAttribution = before.every((tags) => tags.includes(ATTRIBUTION_TAG));
  return first === tag && others.every((each) => each === ATTRIBUTION_TAG && wasAttribution) ? tagged : null;
}

function baseOf(given: string, page: StorePage): string {
  const address = parseWebAddress(given);
  if (address !== null && resolveSponsoredLink(address) !== null) return page.webUrl;
  const [path = ""] = page.webUrl.split("?");
  const isTagInPath = (parseStorePage(path)?.tag ?? null) !== null;
  return isTagInPath && page.canonicalUrl !== null ? page.canonicalUrl : given;
}

/** Gives an address that `setTag` made an empty tag, as links that follow a channel have it. */
export const emptyTag = (address: string): string => replaceTags(address, "");

/** The first parameter with a tag gets the new value, and further ones are removed; without one it is added at the end. */
function replaceTags(address: string, tag: string): string {
  const isOfCart = isCart(new URL(address).pathname);
  return editParameters(address, (parameters) => {
    const first = parameters.findIndex((each) => isTag(each));
    if (first === -1) return [...parameters, `tag=${tag}`];
    return parameters.flatMap((each, at) => {
      const [, name = "tag"] = isOfCart ? (/^([\w-]+)=/.exec(each) ?? []) : [];
      if (at === first) return [`${name}=${tag}`];
      return isTag(each) ? [] : [each];
    });
  });
}
