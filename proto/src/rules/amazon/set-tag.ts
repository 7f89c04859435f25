import { parseStorePage, type StorePage } from "./amazon-url.ts";
import { readableAddress } from "./readable-address.ts";
import { resolveSponsoredLink } from "./sponsored-link.ts";
import { tagsOf } from "./tag-health.ts";
import { parseWebAddress } from "./web-address.ts";

/**
 * Gives the address of a store page this tag, instead of all that it has. Of an address with a tag in its path, and of a
 * sponsored link, the page is kept; of others, all other bytes.
 * @param tag matches TAG_PATTERN
 * @returns null if the address is not a store page, or would become too long
 */
export function setTag(url: string, tag: string): string | null {
  const given = readableAddress(url.trim()) ?? url.trim();
  const page = parseStorePage(given);
  if (page === null) return null;
  const tagged = replaceTags(baseOf(given, page), tag);
  const result = parseStorePage(tagged);
  const isSet = result !== null && tagsOf(result).join() === tag;
  return isSet ? tagged : null;
}

function baseOf(given: string, page: StorePage): string {
  const address = parseWebAddress(given);
  if (address !== null && resolveSponsoredLink(address) !== null) return page.webUrl;
  const [path = ""] = page.webUrl.split("?");
  const isTagInPath = (parseStorePage(path)?.tag ?? null) !== null;
  return isTagInPath && page.canonicalUrl !== null ? page.canonicalUrl : given;
}

/** The first parameter `tag` gets the new value, and further ones are removed; without one it is added at the end. */
function replaceTags(address: string, tag: string): string {
  const [beforeFragment = ""] = address.split("#", 1);
  const fragment = address.slice(beforeFragment.length);
  const [path = "", ...queries] = beforeFragment.split("?");
  const parameters = queries.join("?").split("&");
  const first = parameters.findIndex(isTag);
  const kept = parameters.flatMap((parameter, at) => {
    if (at === first) return [`tag=${tag}`];
    return parameter === "" || isTag(parameter) ? [] : [parameter];
  });
  if (first === -1) kept.push(`tag=${tag}`);
  return `${path}?${kept.join("&")}${fragment}`;
}

/** Whether a raw parameter is a `tag`, in any encoding of its name. */
function isTag(parameter: string): boolean {
  return new URLSearchParams(`&${parameter}`).has("tag");
}
