import { cleanText } from "../clean-text.ts";
import { TITLE_MAX_LENGTH } from "../limits.ts";
import { messages } from "../messages.ts";
import { isRef, splitPath } from "./amazon-path.ts";
import type { StorePage } from "./amazon-url.ts";

const SEARCH = /^(?:s|gp\/search|gp\/aw\/s)(?:\/|$)/;

/** By the start of the path. */
const TITLES: readonly [RegExp, string][] = [
  [/^$/, messages.amazonStartPage],
  [/^(?:gp\/)?cart(?:\/|$)/, messages.amazonCart],
  [/^gp\/bestsellers(?:\/|$)/, messages.amazonBestsellers],
  [/^gp\/goldbox(?:\/|$)/, messages.amazonDeals],
  [/^hz\/wishlist(?:\/|$)/, messages.amazonWishList],
];

/**
 * The title of a page that has no metadata, from its address; null for other pages. A search has the words that were
 * searched for, which are untrusted text.
 */
export function pageTitle({ kind, webUrl }: StorePage): string | null {
  if (kind !== "other") return null;
  const { pathname, searchParams } = new URL(webUrl);
  const parts = splitPath(pathname).filter((part) => !isRef(part));
  const path = parts.join("/").toLowerCase();
  if (SEARCH.test(path)) return searchTitle(searchParams);
  return TITLES.find(([start]) => start.test(path))?.[1] ?? null;
}

function searchTitle(query: URLSearchParams): string {
  const typed = query.get("k") || query.get("field-keywords") || query.get("keywords") || "";
  const words = cleanText(typed, TITLE_MAX_LENGTH - messages.searchFor("").length);
  return words === null ? messages.amazonSearch : messages.searchFor(words);
}
