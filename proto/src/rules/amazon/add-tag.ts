import { TAG_MAX_LENGTH } from "../limits.ts";
import { parseStorePage } from "./amazon-url.ts";
import { isTag } from "./earning-tags.ts";
import { readableAddress } from "./readable-address.ts";
import { resolveSponsoredLink } from "./sponsored-link.ts";
import { tagHealth } from "./tag-health.ts";
import { parseWebAddress } from "./web-address.ts";

/** Accepts every known tag. `tagHealth` checks the usual form. */
export const TAG_PATTERN: RegExp = new RegExp(`^[A-Za-z0-9][\\w.-]{0,${TAG_MAX_LENGTH - 1}}$`);

/**
 * Adds an affiliate tag to the address of a store page that has none: as the value of an empty `tag` parameter, else
 * at the end of the query. No other byte changes, but of an address that is not readable. A sponsored link is replaced by the product page that it leads to.
 * @param tag matches TAG_PATTERN
 * @returns null if the address is not a store page, has a tag already, or would become too long
 */
export function addTag(url: string, tag: string): string | null {
  const given = url.trim();
  const page = parseStorePage(given);
  if (page === null || tagHealth(page).kind !== "none") return null;
  const address = parseWebAddress(given);
  const isSponsored = address !== null && resolveSponsoredLink(address) !== null;
  const tagged = insertTag(isSponsored ? page.webUrl : given, tag);
  return parseStorePage(tagged)?.tag === tag ? tagged : null;
}

function insertTag(address: string, tag: string): string {
  const [typed = ""] = address.split("#", 1);
  const fragment = address.slice(typed.length);
  const beforeFragment = readableAddress(typed) ?? typed;
  const queryAt = beforeFragment.indexOf("?");
  if (queryAt === -1) return `${beforeFragment}?tag=${tag}${fragment}`;

  const query = beforeFragment.slice(queryAt + 1);
  const parameters = query.split("&");
  const { pathname } = new URL(beforeFragment);
  const empty = parameters.findIndex((each) => /^[^=]*=?$/.test(each) && isTag(each, pathname));
  if (empty === -1) {
    const separator = query === "" || query.endsWith("&") ? "" : "&";
    return `${beforeFragment}${separator}tag=${tag}${fragment}`;
  }
  const [name] = (parameters[empty] ?? "").split("=", 1);
  parameters[empty] = `${name}=${tag}`;
  return `${beforeFragment.slice(0, queryAt)}?${parameters.join("&")}${fragment}`;
}
